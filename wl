#!/bin/sh
# wl: finds a JDK, builds Weighlock when its sources changed, and becomes the Java program.
# POSIX shell only. Settings: WEIGHLOCK_JAVA_OPTS (more JVM flags), WEIGHLOCK_HEAP (-Xmx, for example 512m),
# WEIGHLOCK_JDK_PLACES (folders to search for a JDK, separated by colons, instead of the usual ones).
# "wl --jdk" prints the JDK that would be used.
set -u

least_java=25

fail() {
  printf 'wl: %s\n' "$1" >&2
  exit 2
}

say() { printf 'wl: %s\n' "$1" >&2; }

# The folder that holds this script, also when it was called through symbolic links.
home_of_script() {
  file=$1
  while [ -L "$file" ]; do
    target=$(readlink "$file")
    case $target in
      /*) file=$target ;;
      *) file=$(dirname "$file")/$target ;;
    esac
  done
  (CDPATH='' cd -- "$(dirname -- "$file")" && pwd -P)
}

# ---- the JDK ------------------------------------------------------------------------------------------------------

# Prints the feature release (25 for 25.0.1) of the JDK in folder $1; prints nothing when there is none.
java_release() {
  [ -x "$1/bin/java" ] || return 0
  version=
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9][0-9]*\).*/\1/p' "$1/release" | head -n 1)
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9][0-9]*\).*/\1/p' | head -n 1)
  fi
  # "1.8" style versions read as 1 here, which is old enough to be refused.
  printf '%s' "$version"
}

is_jdk() {
  release=$(java_release "$1")
  [ -n "$release" ] && [ "$release" -ge "$least_java" ] && [ -x "$1/bin/javac" ]
}

# The JDK that the java on the PATH belongs to.
jdk_on_path() {
  program=$(command -v java 2>/dev/null) || return 0
  bin=$(home_of_script "$program") || return 0
  dirname "$bin"
}

usual_places() {
  if [ -n "${WEIGHLOCK_JDK_PLACES+set}" ]; then
    printf '%s\n' "$WEIGHLOCK_JDK_PLACES" | tr ':' '\n'
    return
  fi
  for place in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* /usr/local/jdk* \
    /usr/local/openjdk* /usr/local/java* "${HOME:-/}"/.jdks/* "${HOME:-/}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    printf '%s\n' "$place"
  done
}

# Sets JAVA_HOME: the caller's own when it is new enough, else the usual places (25 itself before newer ones), else PATH.
find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && is_jdk "$JAVA_HOME"; then return 0; fi
  newer=
  places=$(usual_places)
  old_ifs=$IFS
  IFS='
'
  for place in $places; do
    if is_jdk "$place"; then
      if [ "$release" -eq "$least_java" ]; then
        IFS=$old_ifs
        JAVA_HOME=$place
        return 0
      fi
      newer=${newer:-$place}
    fi
  done
  IFS=$old_ifs
  on_path=$(jdk_on_path)
  if [ -n "$on_path" ] && is_jdk "$on_path"; then
    JAVA_HOME=$on_path
  elif [ -n "$newer" ]; then
    JAVA_HOME=$newer
  else
    fail "no JDK $least_java or newer was found (looked at JAVA_HOME, the usual folders and the PATH); install JDK $least_java or set JAVA_HOME to one."
  fi
}

# ---- the build ----------------------------------------------------------------------------------------------------

need_maven() {
  command -v mvn >/dev/null 2>&1 || fail "Maven was not found on the PATH; install Maven 3.8 or newer (it is needed only to build)."
}

source_folders() {
  for module in "$root"/*/pom.xml; do
    folder=${module%/pom.xml}
    printf '%s\n' "$module"
    if [ -d "$folder/src/main" ]; then printf '%s\n' "$folder/src/main"; fi
  done
  printf '%s\n' "$root/pom.xml" "$root/.mvn"
}

# One number for the content of all sources: touching a file, or switching a branch and back, rebuilds nothing.
content_sum() {
  source_folders | while IFS= read -r folder; do find "$folder" -type f; done \
    | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum
}

newer_than_stamp() {
  source_folders | while IFS= read -r folder; do find "$folder" -newer "$stamp"; done | head -n 1
}

is_built() {
  [ -f "$stamp" ] && [ -f "$jar" ] || return 1
  [ -n "$(newer_than_stamp)" ] || return 0
  [ "$(content_sum)" = "$(cat "$stamp")" ] || return 1
  touch "$stamp"
}

# One build at a time. The lock is a link that names its holder; a dead holder's lock is taken over under a second,
# very short lock, so that two waiters cannot both take it.
lock_build() {
  mkdir -p "$root/app/target"
  lock=$root/app/target/build.lock
  told=
  until ln -s "$$" "$lock" 2>/dev/null; do
    holder=$(readlink "$lock" 2>/dev/null) || continue
    if kill -0 "$holder" 2>/dev/null; then
      [ -n "$told" ] || say "waiting for the build of process $holder"
      told=yes
      sleep 1
    elif mkdir "$lock.steal" 2>/dev/null; then
      if [ "$(readlink "$lock" 2>/dev/null)" = "$holder" ]; then rm -f "$lock"; fi
      rmdir "$lock.steal"
    else
      sleep 1
    fi
  done
  trap 'rm -f "$lock"' EXIT
  trap 'rm -f "$lock"; exit 130' INT
  trap 'rm -f "$lock"; exit 143' TERM HUP
}

unlock_build() {
  rm -f "$lock"
  trap - EXIT INT TERM HUP
}

write_stamp() {
  printf '%s\n' "$1" >"$stamp.new"
  touch -r "$started" "$stamp.new"
  mv "$stamp.new" "$stamp"
  rm -f "$started"
}

# Takes the native libraries out of their jars: the program starts in half the time and leaves none in the temp folder.
unpack_native_libraries() {
  "$JAVA_HOME/bin/java" -Xshare:auto -XX:TieredStopAtLevel=1 -cp "$jar" dev.weighlock.app.install.NativeLibraries \
    "$root/app/target/lib" >>"$log" 2>&1
}

build() {
  lock_build
  if is_built; then # by the process we waited for
    unlock_build
    return 0
  fi
  need_maven
  sum=$(content_sum)
  started=$root/app/target/build.started
  : >"$started"
  say "building (the first time takes a minute or two; Maven's output: $log)"
  if JAVA_HOME=$JAVA_HOME mvn -B -q -f "$root/pom.xml" -pl app -am -Dmaven.test.skip=true -Dspotless.check.skip=true package >"$log" 2>&1 \
    && unpack_native_libraries; then
    write_stamp "$sum"
    unlock_build
    say "built"
  else
    grep -E '^\[ERROR\]|rror' "$log" | head -n 12 >&2
    fail "the build failed; everything Maven said is in $log"
  fi
}

# ---- wl test ------------------------------------------------------------------------------------------------------

# Shows each module as it is reached, whatever fails, and adds up the runner's own totals.
test_report='
/^\[INFO\] Building / { print; fflush() }
/Tests run:.*(FAILURE|ERROR)!/ { print; fflush() }
/^\[ERROR\] / { if (shown++ < 200) { print; fflush() } }
/^\[(INFO|WARNING|ERROR)\] Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$/ {
  gsub(/,/, "")
  run += $4; failed += $6 + $8; failures += $6; errors += $8; skipped += $10
}
END {
  printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", run, failures, errors, skipped
  printf "%d passed, %d failed, %d skipped\n", run - failed - skipped, failed, skipped
}'

run_tests() {
  profile=
  for word in "$@"; do
    case $word in
      --long) profile=-Plong ;;
      -h | --help)
        echo "Usage: wl test [--long]"
        echo "Builds everything and runs every test; --long adds the long ones."
        exit 0
        ;;
      *) fail "wl test knows only --long, not '$word'" ;;
    esac
  done
  need_maven
  lock_build
  test_log=$root/app/target/test.log
  result=$root/app/target/test.result
  started=$root/app/target/build.started
  sum=$(content_sum)
  : >"$started"
  say "running every test (Maven's output: $test_log)"
  # shellcheck disable=SC2086 # profile is one word or none
  { JAVA_HOME=$JAVA_HOME mvn -B -fae -f "$root/pom.xml" $profile verify; echo $? >"$result"; } 2>&1 | tee "$test_log" | awk "$test_report"
  code=$(cat "$result")
  if [ "$code" -eq 0 ] && unpack_native_libraries; then write_stamp "$sum"; fi
  unlock_build
  [ "$code" -eq 0 ] || say "the tests failed; everything Maven said is in $test_log"
  exit "$code"
}

# ---- the program --------------------------------------------------------------------------------------------------

# Prints the limits in bytes of this process's control group and of those above it, as the query runtime reads them.
group_limits() {
  while IFS=: read -r number controllers group; do
    case $number:,$controllers, in
      0:,,) mount=/sys/fs/cgroup file=memory.max ;;
      *,memory,*) mount=/sys/fs/cgroup/memory file=memory.limit_in_bytes ;;
      *) continue ;;
    esac
    while :; do
      if [ -r "$mount$group/$file" ]; then
        IFS= read -r limit <"$mount$group/$file"
        case $limit in *[!0-9]* | '' | ???????????????????*) ;; *) printf '%s\n' "$limit" ;; esac
      fi
      case $group in ?*) group=${group%/*} ;; *) return 0 ;; esac
    done
  done </proc/self/cgroup
}

# An eighth of the memory this process may use, between 256 MiB and 2 GiB: queries run outside the Java heap.
heap() {
  if [ -n "${WEIGHLOCK_HEAP:-}" ]; then
    printf '%s' "$WEIGHLOCK_HEAP"
    return
  fi
  kib=
  if [ -r /proc/meminfo ]; then
    kib=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
    if [ -r /proc/self/cgroup ]; then
      for limit in $(group_limits); do
        if [ $((limit / 1024)) -lt "$kib" ]; then kib=$((limit / 1024)); fi
      done
    fi
  else
    bytes=$(sysctl -n hw.memsize 2>/dev/null) && kib=$((bytes / 1024))
  fi
  mib=$((${kib:-4194304} / 8192))
  if [ "$mib" -lt 256 ]; then mib=256; fi
  if [ "$mib" -gt 2048 ]; then mib=2048; fi
  printf '%dm' "$mib"
}

# Commands that only read the record finish before the optimising compiler would pay for itself.
flags_for() {
  case ${1:-} in
    run | restart | demo | query | serve | prove) printf '%s' '-XX:+UseSerialGC' ;;
    *) printf '%s' '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' ;;
  esac
}

# Commands that load much the same share an archive of classes; the first of them that ends in order makes it.
family_of() {
  case ${1:-} in
    run | restart | demo) printf '%s' '-run' ;;
    query | serve | prove) printf '%s' "-$1" ;;
  esac
}

root=$(home_of_script "$0") || fail "cannot find the folder of $0"
[ -f "$root/pom.xml" ] || fail "$root holds no pom.xml: wl runs from its own source folder."
jar=$root/app/target/weighlock.jar
stamp=$root/app/target/build.stamp
log=$root/app/target/build.log

find_jdk
case ${1:-} in
  test)
    shift
    run_tests "$@"
    ;;
  --jdk)
    printf '%s\n' "$JAVA_HOME"
    exit 0
    ;;
esac
is_built || build

# Only a shell can tell cheaply and surely which stream a person reads.
terminal=
width=
if [ -t 1 ]; then terminal=out; fi
if [ -t 2 ]; then terminal="$terminal err"; fi
if [ -n "$terminal" ]; then width=$(stty size 2>/dev/null </dev/tty | cut -d ' ' -f 2); fi

# Arrow uses what the JDK warns of; the option against the warning would spoil the archive that other commands share.
quiet=
case "${1:-} $*" in
  "query "*arrow*) quiet=--sun-misc-unsafe-memory-access=allow ;;
esac

archive=$root/app/target/weighlock$(family_of "${1:-}").jsa
sharing=
if [ -z "$quiet" ] && [ -w "$root/app/target" ]; then sharing="-XX:SharedArchiveFile=$archive"; fi
# shellcheck disable=SC2046,SC2086 # flags are words
exec "$JAVA_HOME/bin/java" "-Xmx$(heap)" $(flags_for "${1:-}") $quiet \
  ${sharing:+-XX:+AutoCreateSharedArchive} ${sharing:+"$sharing"} -Xlog:cds=off -Xlog:cds+dynamic=off -Xlog:aot=off \
  -Dweighlock.home="$root" ${terminal:+"-Dweighlock.terminal=$terminal"} ${width:+"-Dweighlock.width=$width"} \
  -Dorg.sqlite.lib.path="$root/app/target/lib" ${WEIGHLOCK_JAVA_OPTS:-} -jar "$jar" "$@"
