"""Many turns played at random: how, by how many processes, and what is made of them."""
