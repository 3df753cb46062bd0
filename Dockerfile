# The image of the action: a base named by digest, hash-locked wheels, git to read commits, and the program. launch.sh
# runs it read-only, without rights and as the runner's own user.
ARG BASE=python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285

FROM ${BASE} AS program
COPY requirements.lock /tmp/
RUN python3 -m venv /tmp/installer && \
    python3 -m venv --without-pip /opt/evalgate && \
    /tmp/installer/bin/pip --python /opt/evalgate/bin/python3 install --no-cache-dir --disable-pip-version-check \
        --no-compile --require-hashes --only-binary=:all: --requirement /tmp/requirements.lock && \
    find /opt/evalgate/lib -type d -name tests -prune -exec rm -r {} +
COPY entrypoint.py /opt/evalgate/
COPY evalgate /opt/evalgate/evalgate
RUN /opt/evalgate/bin/python3 -I -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/evalgate

FROM ${BASE}
# Debian keeps only the newest build of a package, so a version named here would soon be gone.
# hadolint ignore=DL3008
RUN apt-get update && \
    apt-get install --yes --no-install-recommends git && \
    rm -rf /var/lib/apt/lists/*
COPY --from=program /opt/evalgate /opt/evalgate
WORKDIR /opt/evalgate
USER 65532:65532
ENTRYPOINT ["/opt/evalgate/bin/python3", "-I", "/opt/evalgate/entrypoint.py"]
