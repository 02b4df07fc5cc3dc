"""The alembic environment: it runs the migrations on the connection given by `migrate`."""

from alembic import context

from shutbox.web.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
