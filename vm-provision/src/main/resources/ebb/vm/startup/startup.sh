#!/bin/bash
# What a machine of an Ebb run does, from its boot to its end: Java, the jar, the server, the
# host's tasks, their results, the end. Written by ebb.vm.startup.StartupScript for Debian and
# Ubuntu; holds no secrets, because whoever may read the project can read it.
#
# Each step is a line on standard output, which a VM's serial console shows:
#   ebb-step EPOCH_SECONDS STEP begin|ok|failed [words]
set -u
umask 077
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

#@PARAMETERS@

metadata=http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1
storage=${STORAGE_EMULATOR_HOST:-https://storage.googleapis.com}
case $storage in *://*) ;; *) storage=http://$storage ;; esac
compute=${CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE:-https://compute.googleapis.com/compute/v1/}
by_id=${EBB_DISKS_BY_ID:-/dev/disk/by-id}
java=
java_flags=()
server_pid=
task_pid=
task_begun=
interrupted=

from_metadata() {
  curl -sf --retry 3 --max-time 20 -H 'Metadata-Flavor: Google' "$metadata/$1"
}

# Machines that were made together have one script: each does the part that has its name.
if [ -z "$vm" ]; then
  self=
  for ((i = 0; i < 30; i++)); do
    command -v curl >/dev/null || { self=$(hostname); break; }
    self=$(from_metadata instance/name) && break
    sleep 2
  done
  part_of "${self%%.*}" || { echo "ebb-step $(date +%s) name failed no part for '$self'"; exit 1; }
fi

mkdir -p "$home/out" || { echo "ebb-step $(date +%s) home failed cannot make $home"; exit 1; }
cd "$home" || exit 1

step() {
  local line
  line="ebb-step $(date +%s) $1 $2${3:+ $3}"
  echo "$line"
  echo "$line" >>steps
}

# The last words of a log, as one line.
last_line() { tail -n 1 "$1" 2>/dev/null | tr -cd '[:print:]' | cut -c 1-200; }

# --- where results go and the jar comes from: gs://BUCKET/... or a directory ---

# curl with this machine's own token, which is neither an argument that others see nor written down.
# A process that plays a machine has none, unless somebody plays the metadata server, too.
with_token() {
  local token=
  if [ "$machine" = 1 ] || [ -n "${GCE_METADATA_HOST:-}" ]; then
    token=$(from_metadata instance/service-accounts/default/token |
      sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
  fi
  if [ -n "$token" ]; then
    printf 'header = "Authorization: Bearer %s"\n' "$token" | curl -K - "$@"
  else
    curl "$@"
  fi
}

# Splits gs://BUCKET/NAME into $bucket and $object, the latter as it stands in a URL.
gs() {
  bucket=${1#gs://}
  object=${bucket#*/}
  bucket=${bucket%%/*}
  object=${object//\//%2F}
}

# fetch FROM FILE: 0 it is there, 1 there is no such thing, 2 it could not be had ($why says it).
fetch() {
  local code bucket object
  why=
  case $1 in
    gs://*)
      gs "$1"
      code=$(with_token -s -S --retry 5 --connect-timeout 10 --max-time 600 -o "$2.part" \
        -w '%{http_code}' "$storage/storage/v1/b/$bucket/o/$object?alt=media" 2>fetch.err)
      case $code in
        200) mv -f "$2.part" "$2" && return 0 ;;
        404) rm -f "$2.part"; why="$1 is not there"; return 1 ;;
      esac
      why="$1: HTTP $code $(last_line fetch.err)"
      rm -f "$2.part"
      return 2
      ;;
    *)
      [ -e "$1" ] || { why="$1 is not there"; return 1; }
      cp -f "$1" "$2.part" 2>fetch.err && mv -f "$2.part" "$2" && return 0
      why=$(last_line fetch.err)
      return 2
      ;;
  esac
}

# put FILE KEY: keeps a file under the run's results; whole or not at all.
put() {
  local code bucket object
  case $results in
    gs://*)
      gs "$results/$2"
      code=$(with_token -s -S --retry 5 --connect-timeout 10 --max-time 600 -o put.answer \
        -w '%{http_code}' -X POST -H 'Content-Type: application/octet-stream' -T "$1" \
        "$storage/upload/storage/v1/b/$bucket/o?uploadType=media&name=$object" 2>put.err)
      [ "$code" = 200 ] && return 0
      echo "ebb: cannot keep $2: HTTP $code $(last_line put.err)"
      return 1
      ;;
    *)
      mkdir -p "$(dirname "$results/$2")" && cp -f "$1" "$results/$2.part.$vm" &&
        mv -f "$results/$2.part.$vm" "$results/$2"
      ;;
  esac
}

# put_text KEY TEXT
put_text() {
  printf '%s\n' "$2" >text && put text "$1"
}

# --- the end ---

# stop_group PID: a session that setsid began; politely, then not.
stop_group() {
  local i
  kill -TERM -- "-$1" 2>/dev/null || return 0
  for ((i = 0; i < 80; i++)); do
    kill -0 -- "-$1" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL -- "-$1" 2>/dev/null
}

stop_server() {
  [ ${#server[@]} -gt 0 ] || return 0
  if [ "$machine" = 1 ]; then
    systemctl stop "ebb-server-$run" 2>/dev/null
  elif [ -n "$server_pid" ]; then
    stop_group "$server_pid"
    wait "$server_pid" 2>/dev/null
  fi
  server_pid=
  [ ! -e out/server.log ] || put out/server.log "$vm/server.log"
}

# finish CODE WORDS: nothing happens after this.
finish() {
  trap '' TERM INT
  stop_server
  step end "$([ "$1" = 0 ] && echo ok || echo failed)" "$2"
  put steps "$vm/steps"
  put_text "$vm/end" "$1 $2"
  if [ "$machine" = 1 ] && [ -z "$interrupted" ]; then
    leave
  fi
  exit "$1"
}

# A VM that is switched off keeps its disks, and its maximum run duration no longer counts: so it
# deletes itself if its account may, or idles until the service deletes it. Who runs the plan
# deletes it before that.
leave() {
  local code
  sleep "$linger"
  code=$(with_token -s -o /dev/null -w '%{http_code}' --max-time 60 -X DELETE \
    "${compute}projects/$(from_metadata project/project-id)/zones/$(from_metadata instance/zone |
      sed 's,.*/,,')/instances/$(from_metadata instance/name)")
  echo "ebb: asked for its own deletion: HTTP $code"
}

fail() {
  step "$1" failed "$2"
  finish 1 "$1: $2"
}

on_signal() {
  trap '' TERM INT
  interrupted=1
  if [ -n "$task_begun" ]; then
    [ "$machine" != 1 ] || systemctl stop "ebb-task-$run-$task_begun" 2>/dev/null
    [ "$machine" = 1 ] || stop_group "$task_pid"
    wait "$task_pid" 2>/dev/null
    # The task's own code, if it had time to end; 5 is "incomplete".
    [ -e "out/$task_begun.exit" ] || echo 5 >"out/$task_begun.exit"
    step "task-$task_begun" failed "interrupted"
    keep "$task_begun"
  fi
  finish 5 "interrupted"
}

# --- Java and the jar ---

is_recent_java() {
  local major
  major=$("$1" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  [ -n "$major" ] && [ "$major" -ge 17 ]
}

find_java() {
  local one
  for one in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java)" /usr/lib/jvm/*/bin/java; do
    if [ -x "$one" ] && is_recent_java "$one"; then
      java=$one
      return 0
    fi
  done
  return 1
}

# Another program may hold apt's lock right after a boot.
apt() {
  local i
  for ((i = 0; i < 20; i++)); do
    apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >apt.log 2>&1 </dev/null && return 0
    sleep 5
  done
  return 1
}

get_tools() {
  if [ "$machine" = 1 ] && ! command -v curl >/dev/null; then
    step tools begin
    { apt update && apt install -y --no-install-recommends curl ca-certificates; } ||
      fail tools "apt-get: $(last_line apt.log)"
    step tools ok
  fi
}

get_java() {
  local package
  step java begin
  if ! find_java; then
    [ "$machine" = 1 ] || fail java "no Java 17 or newer here"
    apt update || fail java "apt-get update: $(last_line apt.log)"
    # Debian 12 has 17, Debian 13 has 21, Ubuntu has both.
    for package in openjdk-21-jre-headless openjdk-17-jre-headless openjdk-25-jre-headless; do
      if apt-cache show "$package" >/dev/null 2>&1; then
        apt install -y --no-install-recommends "$package" ||
          fail java "apt-get install $package: $(last_line apt.log)"
        break
      fi
    done
    find_java || fail java "no package of a Java 17 or newer"
  fi
  # A process that plays a machine has the jar and the Java of who started it, and what that Java
  # made of the jar's classes; where it is of another jar, Java starts without it.
  if [ "$machine" != 1 ] && [ -s "${EBB_CLASS_ARCHIVE:-}" ]; then
    java_flags=("-XX:SharedArchiveFile=$EBB_CLASS_ARCHIVE" -Xlog:cds=off -Xlog:cds+dynamic=off)
  fi
  step java ok "$java"
}

# The very file, where that can be: for a copy no archive of classes is good.
link_jar() {
  [ "$machine" != 1 ] && [ "${jar#gs:}" = "$jar" ] && ln -f "$jar" ebb.jar 2>/dev/null
}

get_jar() {
  local sum began=$SECONDS
  step jar begin
  if [ ! -e ebb.jar ] || [ "$(sha256sum ebb.jar | cut -d ' ' -f 1)" != "$jar_sha256" ]; then
    # Rights that were given a moment ago may take minutes to hold everywhere.
    until link_jar || fetch "$jar" ebb.jar; do
      case $why in *"HTTP 401"*|*"HTTP 403"*) ;; *) fail jar "$why" ;; esac
      [ $SECONDS -lt $((began + ${EBB_RIGHTS_SECONDS:-300})) ] || fail jar "$why"
      sleep "$poll"
    done
    sum=$(sha256sum ebb.jar | cut -d ' ' -f 1)
    [ "$sum" = "$jar_sha256" ] ||
      fail jar "$jar is not what was meant: its SHA-256 is $sum, not $jar_sha256"
  fi
  step jar ok
}

# --- disks ---

# A disk is ours to format when nothing is on it, or what an earlier boot of this run put there.
mark=ebb-$(printf %s "$run" | tail -c 8)

# need PROGRAM PACKAGE
need() {
  command -v "$1" >/dev/null && return 0
  apt update && apt install -y --no-install-recommends "$2"
}

# Waits for a device, and prints what its name in by-id stands for.
device_of() {
  local i
  for ((i = 0; i < 300; i++)); do
    if [ -e "$by_id/$1" ]; then
      readlink -f "$by_id/$1"
      return 0
    fi
    sleep 0.1
  done
  return 1
}

# Makes the disks of a volume one device, which is then in $device.
stripe() {
  local one found=()
  for one in "$@"; do
    one=$(device_of "$one") || { why="there is no $by_id/$one after 30 s"; return 1; }
    if blkid -p "$one" >/dev/null 2>&1 && [ "$(blkid -p -s TYPE -o value "$one")" != linux_raid_member ] &&
      [ "$(blkid -p -s LABEL -o value "$one")" != "$mark" ]; then
      why="$one is not blank"
      return 1
    fi
    found+=("$one")
  done
  device=${found[0]}
  [ ${#found[@]} -gt 1 ] || return 0
  device=/dev/md/$volume
  # The kernel may have put it together again at this boot, under another name.
  one=$(ls "/sys/class/block/$(basename "${found[0]}")/holders" 2>/dev/null | head -n 1)
  if [ -n "$one" ]; then
    device=/dev/$one
    return 0
  fi
  need mdadm mdadm || { why="apt-get install mdadm: $(last_line apt.log)"; return 1; }
  mdadm --create "$device" --run --force --level=0 --homehost=any --raid-devices=${#found[@]} \
    "${found[@]}" >disk.log 2>&1 || { why="mdadm: $(last_line disk.log)"; return 1; }
}

# Makes one volume ready: found by id, striped, formatted, mounted at disks/NAME.
get_volume() {
  local volume ids format device at
  "$1"
  step "disk-$volume" begin "${#ids[@]} x ${ids[0]}, $format"
  at=$home/disks/$volume
  mkdir -p "$home/disks"
  if [ "$by_id" = none ] || { [ "$machine" != 1 ] && [ -z "${EBB_DISKS_BY_ID:-}" ]; }; then
    # A process that plays a machine has no disks of its own: a directory of this machine's.
    mkdir -p "$at"
    step "disk-$volume" ok "$at, a directory of this machine"
    return
  fi
  stripe "${ids[@]}" || fail "disk-$volume" "$why"
  if [ "$format" = raw ]; then
    ln -sfn "$device" "$at"
    step "disk-$volume" ok "$device"
    return
  fi
  mkdir -p "$at"
  if [ "$(blkid -p -s LABEL -o value "$device" 2>/dev/null)" != "$mark" ]; then
    if [ "$format" = xfs ]; then
      need mkfs.xfs xfsprogs || fail "disk-$volume" "apt-get install xfsprogs: $(last_line apt.log)"
      mkfs.xfs -q -f -L "$mark" "$device" >disk.log 2>&1
    else
      # Nothing is left to be initialised while somebody measures.
      mkfs.ext4 -q -F -m 0 -E lazy_itable_init=0,lazy_journal_init=0 -L "$mark" "$device" \
        >disk.log 2>&1
    fi || fail "disk-$volume" "mkfs.$format: $(last_line disk.log)"
  fi
  mountpoint -q "$at" || mount -o noatime "$device" "$at" 2>disk.log ||
    fail "disk-$volume" "mount: $(last_line disk.log)"
  step "disk-$volume" ok "$device, $format, $(df -BM --output=size "$at" | tail -n 1 | tr -d ' ') at $at"
}

# --- the server ---

get_addresses() {
  if [ -z "$internal" ]; then
    internal=$(from_metadata instance/network-interfaces/0/ip)
    external=$(from_metadata instance/network-interfaces/0/access-configs/0/external-ip)
  fi
  [ -n "$internal" ] || fail address "the metadata server does not say this machine's address"
  put_text "$vm/address" "$internal ${external:-$internal}" || fail address "cannot keep results"
}

is_listening() { (exec 3<>"/dev/tcp/$internal/$server_port") 2>/dev/null; }

is_server_alive() {
  if [ "$machine" = 1 ]; then
    systemctl is-active --quiet "ebb-server-$run"
  else
    kill -0 "$server_pid" 2>/dev/null
  fi
}

start_server() {
  local i
  [ ${#server[@]} -gt 0 ] || return 0
  step server begin "${server[*]}"
  # shellcheck disable=SC2016 # for the inner shell
  local body='exec >"$0" 2>&1; exec "$@"'
  if [ "$machine" = 1 ]; then
    systemctl reset-failed "ebb-server-$run" 2>/dev/null
    systemd-run --quiet --collect --unit "ebb-server-$run" \
      bash -c "$body" "$home/out/server.log" "$java" -jar "$home/ebb.jar" "${server[@]}" ||
      fail server "systemd-run refused it"
  else
    setsid bash -c "$body" "$home/out/server.log" "$java" "${java_flags[@]}" \
      -jar "$home/ebb.jar" "${server[@]}" &
    server_pid=$!
    echo "$server_pid" >>pids
  fi
  for ((i = 0; i < 600; i++)); do
    is_server_alive || fail server "it ended: $(last_line out/server.log)"
    if is_listening; then
      step server ok "TCP port $server_port"
      put_text "$vm/ready" "$(date +%s)"
      return 0
    fi
    sleep 0.1
  done
  fail server "nothing listens on $internal:$server_port after 60 s: $(last_line out/server.log)"
}

# --- tasks ---

# await_key KEY SECONDS: until somebody has kept it; gives up early when its VM has ended.
await_key() {
  local end=$((SECONDS + $2)) trouble
  while :; do
    fetch "$results/$1" "waited" && return 0
    trouble=$why
    if [ "${1#*/}" != end ] && fetch "$results/${1%%/*}/end" "ended"; then
      fetch "$results/$1" "waited" && return 0
      why="${1%%/*} has ended: $(last_line ended)"
      return 1
    fi
    [ $SECONDS -lt $end ] || { why="$1 did not come within $2 s ($trouble)"; return 1; }
    sleep "$poll"
  done
}

# Puts addresses of VMs in place of {VM.internal} and {VM.external}, the task's directory in place of
# {dir}, a disk's place in place of {disk:NAME}, and a copy of the result KEY, which is waited for, in place of {get:KEY}.
fill_words() {
  local i word other ip_in ip_out
  for i in "${!words[@]}"; do
    word=${words[i]//\{dir\}/$home/out/$name}
    while [[ $word =~ \{disk:([a-z][-a-z0-9]*)\} ]]; do
      other=${BASH_REMATCH[1]}
      word=${word//\{disk:$other\}/$home/disks/$other}
    done
    while [[ $word =~ \{([a-z][-a-z0-9]*)\.(internal|external)\} ]]; do
      other=${BASH_REMATCH[1]}
      await_key "$other/address" "$wait_seconds" || return 1
      read -r ip_in ip_out <waited
      if ! [[ "$ip_in $ip_out" =~ ^[0-9a-fA-F.:]+\ [0-9a-fA-F.:]+$ ]]; then
        why="$other/address holds no addresses"
        return 1
      fi
      word=${word//\{$other.internal\}/$ip_in}
      word=${word//\{$other.external\}/$ip_out}
    done
    while [[ $word =~ \{get:([A-Za-z0-9][-A-Za-z0-9._/]*)\} ]]; do
      other=${BASH_REMATCH[1]}
      await_key "$other" "$wait_seconds" || return 1
      mv -f waited "got-${other//\//-}"
      word=${word//\{get:$other\}/$home/got-${other//\//-}}
    done
    words[i]=$word
  done
}

# keep NAME: what a task has written so far.
keep() {
  local file
  put "out/$1.json" "$vm/$1.json"
  put "out/$1.log" "$vm/$1.log"
  for file in "out/$1"/*; do
    [ ! -f "$file" ] || put "$file" "$vm/$1/$(basename "$file")"
  done
  # Last: whoever sees it has all of the rest.
  [ ! -e "out/$1.exit" ] || put "out/$1.exit" "$vm/$1.exit"
}

# Runs one task to its end, and keeps what it says every few seconds: the machine may die.
run_task() {
  local name words after seconds wait_seconds key size before=0 code ticks=0
  "$1"
  if [ -e "out/$name.exit" ]; then
    # The machine has been started again.
    keep "$name"
    return
  fi
  mkdir -p "out/$name"
  : >"out/$name.json"
  : >"out/$name.log"
  for key in "${after[@]}"; do
    if ! await_key "$key" "$wait_seconds"; then
      not_run "$name" "$why"
      return
    fi
  done
  if ! fill_words; then
    not_run "$name" "$why"
    return
  fi
  step "task-$name" begin "${words[*]}"
  put_text "$vm/$name.begun" "$(date +%s)"
  # Its end is in a file, because systemd's unit is no child of this shell. timeout's own code 124
  # becomes Ebb's "incomplete".
  # shellcheck disable=SC2016 # for the inner shell
  local body='cd "$1" || exit 1
    trap : TERM
    timeout --foreground --kill-after=20 "$2" "${@:5}" >"$3.json" 2>"$3.log" </dev/null
    code=$?
    if [ $code = 124 ] || [ $code = 137 ]; then echo "stopped after $2 s" >>"$3.log"; code=5; fi
    echo $code >"$4.part"; mv -f "$4.part" "$4"'
  task_begun=$name
  if [ "$machine" = 1 ]; then
    systemd-run --quiet --collect --wait --unit "ebb-task-$run-$name" bash -c "$body" ebb-task \
      "$home/out/$name" "$seconds" "$home/out/$name" "$home/out/$name.exit" \
      "$java" -jar "$home/ebb.jar" "${words[@]}" &
  else
    setsid bash -c "$body" ebb-task \
      "$home/out/$name" "$seconds" "$home/out/$name" "$home/out/$name.exit" \
      "$java" "${java_flags[@]}" -jar "$home/ebb.jar" "${words[@]}" &
    echo $! >>pids
  fi
  task_pid=$!
  while kill -0 "$task_pid" 2>/dev/null; do
    sleep 0.1 &
    wait $!
    if ((++ticks % keep_ticks == 0)); then
      size=$(cat "out/$name.json" "out/$name.log" "out/$name"/* 2>/dev/null | wc -c)
      [ "$size" = "$before" ] || keep "$name"
      before=$size
    fi
  done
  wait "$task_pid"
  task_pid=
  [ -e "out/$name.exit" ] || echo 1 >"out/$name.exit"
  task_begun=
  code=$(cat "out/$name.exit")
  [ "$code" = 0 ] || failed=$((failed + 1))
  step "task-$name" "$([ "$code" = 0 ] && echo ok || echo failed)" \
    "exit code $code$([ "$code" = 0 ] || echo ": $(last_line "out/$name.log")")"
  keep "$name"
}

not_run() {
  echo "not run: $2" >"out/$1.log"
  echo 3 >"out/$1.exit"
  failed=$((failed + 1))
  step "task-$1" failed "not run: $2"
  keep "$1"
}

# A server serves until nobody needs it: the others have done their tasks or have ended, or
# somebody keeps "stop" for all.
serve_others() {
  local peer
  [ ${#server[@]} -gt 0 ] || return 0
  step serve begin
  for peer in "${peers[@]}"; do
    until fetch "$results/stop" ended || fetch "$results/$peer/done" ended ||
      fetch "$results/$peer/end" ended; do
      is_server_alive || { step serve failed "the server ended"; return 1; }
      sleep "$poll"
    done
  done
  step serve ok
}

trap on_signal TERM INT
failed=0
step start begin "$vm of $run"
get_tools
get_java
get_jar
get_addresses
for one in "${volumes[@]}"; do
  get_volume "$one"
done
start_server
for task in "${tasks[@]}"; do
  run_task "$task"
done
put_text "$vm/done" "$failed"
serve_others || failed=$((failed + 1))
if [ "$failed" = 0 ]; then
  finish 0 "all done"
fi
finish 5 "$failed failed"
