# One image for both services: the server (`tablero serve`) and the bot host (`tablero bot-host`).
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /source
# For backups of PostgreSQL. Its other client programs need Perl, which the image then has no need of.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17
RUN python -m venv /opt/tablero
COPY requirements.lock requirements-build.lock ./
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/tablero/bin/pip install --require-hashes -r requirements.lock \
    && pip install --require-hashes -r requirements-build.lock
COPY . .
RUN pip wheel --no-deps --no-index --no-build-isolation --wheel-dir /wheel . \
    && /opt/tablero/bin/pip install --no-deps --no-index /wheel/*.whl \
    && /opt/tablero/bin/pip uninstall --yes pip

FROM python:${PYTHON}-slim
COPY --from=build /opt/tablero /opt/tablero
COPY --from=build /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
# Any uid may own these folders: a new named volume copies their mode.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq5 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
    && useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin tablero \
    && install --directory --mode 1777 /data /keys /secrets
ENV PATH=/opt/tablero/bin:$PATH \
    HOME=/data \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TABLERO_HOME=/data \
    TABLERO_DATABASE=sqlite:////data/tablero.db \
    TABLERO_HOST=0.0.0.0 \
    TABLERO_PORT=8470
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8470
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-m", "tablero_server.operations.healthcheck"]
ENTRYPOINT ["tablero"]
CMD ["serve"]
