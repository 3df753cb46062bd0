#!/usr/bin/env bash
# The one step of the action that does something: look at the machine, get the image (or a virtual environment), and
# become the program. It reads nothing but its environment, and hands on only what it names.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

# What the program reads of its environment; a test compares this list with the program's own.
variables=(
    GITHUB_ACTIONS GITHUB_ACTOR GITHUB_API_URL GITHUB_EVENT_NAME GITHUB_EVENT_PATH GITHUB_JOB GITHUB_OUTPUT GITHUB_REF
    GITHUB_REPOSITORY GITHUB_REPOSITORY_ID GITHUB_RUN_ATTEMPT GITHUB_RUN_ID GITHUB_SERVER_URL GITHUB_SHA
    GITHUB_STEP_SUMMARY GITHUB_WORKFLOW_REF GITHUB_WORKSPACE RUNNER_TEMP
    REQUESTS_CA_BUNDLE HTTPS_PROXY https_proxy NO_PROXY no_proxy
    EVALGATE_TOKEN EVALGATE_DEBUG
    EVALGATE_INPUT_COMMAND EVALGATE_INPUT_RESULTS EVALGATE_INPUT_GROUP EVALGATE_INPUT_PROMOTION EVALGATE_INPUT_CONFIG
    EVALGATE_INPUT_CANDIDATE_SHA EVALGATE_INPUT_CHECK_NAME EVALGATE_INPUT_PUBLISH EVALGATE_INPUT_REPORT_DIR
    EVALGATE_INPUT_WAIT_MINUTES
)

stop() {
    local text=${1//'%'/%25} line_feed=$'\n' carriage_return=$'\r'
    text=${text//$line_feed/%0A}
    printf '::error title=evalgate::%s\n' "${text//$carriage_return/%0D}"
    exit 2
}

preflight() {
    local name unsafe=${ACTIONS_ALLOW_UNSECURE_COMMANDS:-}
    [[ -z $unsafe || $unsafe == false ]] ||
        stop "ACTIONS_ALLOW_UNSECURE_COMMANDS is set, which lets any text in the log change this job. Remove it."
    for name in GITHUB_WORKSPACE GITHUB_OUTPUT GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH RUNNER_TEMP; do
        [[ -n ${!name:-} ]] || stop "$name is not set, so this is no runner of GitHub Actions. Elsewhere, use evalgate itself."
    done
    export EVALGATE_INPUT_COMMAND=${EVALGATE_INPUT_COMMAND:-gate}
    [[ $EVALGATE_INPUT_COMMAND =~ ^[a-z]+$ ]] ||
        stop "command: '$EVALGATE_INPUT_COMMAND' is no command. Write gate, record, check, publish or doctor."
}

# These commands read files and nothing else, so they get no token and no network.
works_offline() { [[ $EVALGATE_INPUT_COMMAND == record || $EVALGATE_INPUT_COMMAND == check ]]; }

# Make the folder of the report and its name absolute. It is the one folder that the program can write to, so it must
# not hold the checked-out files or the runner's own.
report_folder() {
    local folder=${EVALGATE_INPUT_REPORT_DIR:-} taken
    if [[ -z $folder ]]; then
        folder=$(mktemp -d "$RUNNER_TEMP/evalgate-XXXXXXXX")
    else
        [[ $folder == /* || $folder == [A-Za-z]:* ]] || folder=$GITHUB_WORKSPACE/$folder
        mkdir -p "$folder" || stop "report-dir: '$folder' cannot be made."
        folder=$(cd "$folder" && pwd -P)
    fi
    for taken in "$GITHUB_WORKSPACE" "$GITHUB_OUTPUT" "$GITHUB_EVENT_PATH"; do
        [[ $(cd "$(dirname "$taken")" && pwd -P)/$(basename "$taken")/ != "${folder%/}"/* ]] ||
            stop "report-dir: '$folder' holds files of the runner or the repository. Name a folder of its own."
    done
    export EVALGATE_INPUT_REPORT_DIR=$folder
}

# The digest of everything that the image is built from, so that an unchanged action is built once.
build_inputs() {
    cd "$here"
    find Dockerfile .dockerignore requirements.lock entrypoint.py evalgate -type f ! -name '*.pyc' -print0 |
        LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-64
}

there() { docker image inspect "$1" >/dev/null 2>&1; }

pull() {
    local try
    for try in 1 2 3; do
        ! timeout 300 docker pull --quiet "$image" || return 0
        sleep $((try * 5))
    done
    stop "The image $image could not be pulled. Is the registry reachable from this runner, and may this job read it?"
}

find_image() {
    image=${EVALGATE_INPUT_IMAGE:-}
    if [[ -z $image && -f $here/image.txt ]]; then
        image=$(<"$here/image.txt")
        [[ $image =~ @sha256:[0-9a-f]{64}$ ]] || stop "image.txt of this action names no image by its digest."
    fi
    if [[ -n $image ]]; then
        [[ $image =~ ^[A-Za-z0-9][A-Za-z0-9._/:@-]*$ ]] || stop "image: '$image' is no name of an image."
        there "$image" || pull
        return
    fi
    image=evalgate-action:$(build_inputs)
    there "$image" && return
    echo "::group::Build evalgate's image, once on this machine"
    timeout 1200 docker build --tag "$image" "$here" || stop "evalgate's image could not be built; the log above says why."
    echo "::endgroup::"
}

bind() {
    local path=${1//'"'/'""'}
    mounts+=(--mount "type=bind,\"source=$path\",\"target=$path\"${2:-}")
}

run_in_container() {
    local engine name user network=() mounts=() environment=()
    [[ $(uname -s) == Linux ]] ||
        stop "Containers need a Linux runner; this one is $(uname -s). Add 'runtime: python' to this step, or use ubuntu-latest."
    [[ $GITHUB_WORKSPACE != /__w/* ]] ||
        stop "This job runs in a container, whose paths the Docker engine does not know. Add 'runtime: python' to this step."
    engine=$(timeout 60 docker info --format '{{json .SecurityOptions}}' 2>/dev/null) ||
        stop "No Docker engine answers on this runner. Add 'runtime: python' to this step, or use a runner with Docker."
    find_image
    user=$(id -u):$(id -g)
    [[ $engine != *rootless* ]] || user=0:0 # the runner's own user, as a rootless engine calls it
    ! works_offline || network=(--network none)
    bind "$GITHUB_WORKSPACE" ,readonly
    bind "$GITHUB_EVENT_PATH" ,readonly
    [[ -z ${REQUESTS_CA_BUNDLE:-} ]] || bind "$REQUESTS_CA_BUNDLE" ,readonly
    bind "$GITHUB_OUTPUT"
    bind "$GITHUB_STEP_SUMMARY"
    bind "$EVALGATE_INPUT_REPORT_DIR"
    for name in "${variables[@]}"; do
        environment+=(--env "$name")
    done
    exec docker run --rm --init --pull never --read-only --cap-drop ALL --security-opt no-new-privileges \
        --user "$user" --pids-limit 256 --memory 4g --tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m \
        "${network[@]}" "${mounts[@]}" "${environment[@]}" "$image"
}

run_in_python() {
    local python venv=$RUNNER_TEMP/evalgate-python
    if ! cmp -s "$here/requirements.lock" "$venv/complete"; then
        python=$(command -v python3 || command -v python) ||
            stop "No Python on this runner. Put actions/setup-python with Python 3.11 or newer before this step."
        "$python" -I "$here/bootstrap.py" "$venv" "$here/requirements.lock"
        cp "$here/requirements.lock" "$venv/complete"
    fi
    cd "$venv"
    python=$venv/bin/python
    [[ -x $python ]] || python=$venv/Scripts/python.exe
    exec "$python" -I "$here/entrypoint.py"
}

preflight
! works_offline || unset EVALGATE_TOKEN
report_folder
case ${EVALGATE_INPUT_RUNTIME:-container} in
    container) run_in_container ;;
    python) run_in_python ;;
    *) stop "runtime: '$EVALGATE_INPUT_RUNTIME' is neither container nor python." ;;
esac
