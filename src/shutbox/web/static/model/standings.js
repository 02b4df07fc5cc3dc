// In which order the seats stand at the end of a match.

const result = ({ total, points }) => total ?? points;

/** The seats, the winners first, then by their results, and those without one last. */
export function best({ plates, winners }) {
  const known = plates.map(result).filter((points) => points !== null);
  // The winner's score tells whether little is good.
  const isLow = winners.some((seat) => result(plates[seat]) === Math.min(...known));
  const rank = (seat) => {
    if (winners.includes(seat)) return -Infinity;
    const points = result(plates[seat]);
    return points === null ? Infinity : isLow ? points : -points;
  };
  return plates.map((_, seat) => seat).sort((one, other) => rank(one) - rank(other) || one - other);
}
