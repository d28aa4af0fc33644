#!/usr/bin/env python3
"""scripts/nightly --cluster: shards here and by Slurm, on a cluster of one node, come to the same, whatever is killed meanwhile."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import ROOT, Checks, run, until

NEEDED = ("slurmctld", "slurmd", "sbatch", "sacct", "munged")
SHARDS = 8
# Stands in for `tessera` and `dma_random`: a turn takes a while, and its table depends on the seed and the cases.
PROGRAM = '''#!/usr/bin/env python3
import json, sys, time
if "list" in sys.argv[1:] or "--list" in sys.argv[1:]:
    print(LISTED)
    sys.exit()
given = {word: sys.argv[n + 1] for n, word in enumerate(sys.argv[:-1]) if word.startswith("--")}
time.sleep(1.5)
cases = int(given["--cases"])
row = {"config": given["--config"], "cases": cases, "failed": 0, "transfers": int(given["--seed"]) % 1000, "cycles": 10 * cases, "compared": cases, "seconds": 1.5}
open(given["--save"], "w").write(json.dumps({"rows": [row]}))
'''
check = Checks()


def write(path, text):
    path.write_text(text)
    path.chmod(0o755)


class Cluster:
    """slurmctld, slurmd and munged on the loopback address, all under one folder."""

    def __init__(self, folder):
        self.folder, self.environment = folder, {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        name = socket.gethostname().split(".")[0]
        for part in ("state", "spool"):
            (folder / part).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        user = subprocess.run(["id", "-un"], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
        ports = [free_port(), free_port()]
        (folder / "slurm.conf").write_text(f"""ClusterName=one
SlurmctldHost={name}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=20
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
NodeName={name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={name} Default=YES MaxTime=INFINITE State=UP
""")
        self.munge = subprocess.Popen(["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={key}", f"--pid-file={folder}/munged.pid",
                                       f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert until((folder / "munge.socket").exists), "munged has no socket"
        self.control = self.start("slurmctld")
        self.node = self.start("slurmd")
        assert until(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T")), "the node is not idle"

    def start(self, daemon):
        return subprocess.Popen([shutil.which(daemon), "-D", "-f", self.folder / "slurm.conf"], env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60).stdout

    def kill_node(self):
        """Kills the daemon of the node, what runs there stays, and starts it anew."""
        self.node.kill()
        self.node.wait()
        time.sleep(1)
        self.node = self.start("slurmd")

    def stop(self):
        for process in (self.node, self.control, self.munge):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(build, folder, *more):
    return [ROOT / "scripts/nightly", "--cluster", folder, "seeds", "--shards", SHARDS, "--cases", 20, "--seed", 7, "--built", "--build", build, *more]


def night(build, folder, *more, environment=None):
    return subprocess.Popen([str(word) for word in command(build, folder, *more)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env=environment, stdin=subprocess.DEVNULL)


def ended(what, process):
    """All that a night said, which must end well."""
    output = process.communicate(timeout=300)[0]
    check(f"{what} passes", output.rstrip().endswith(f"{20 * SHARDS} passed, 0 failed"), output)
    return output


def merged(folder):
    """What counts of a merged night: all but how long it took."""
    whole = json.loads((folder / "merged.json").read_text())
    return {name: {key: value for key, value in row.items() if key != "seconds"} for name, row in whole["rows"].items()}, whole["kinds"]


def processes(folder, number):
    """Leaders of the sessions that run a shard."""
    return [int(pid) for pid in run("pgrep", "-f", f"scripts/shard {folder} {number}$")[1].split()]


def begun(folder):
    return {int(path.name.partition("-")[0]) for path in (folder / "work").glob("*")} if (folder / "work").exists() else set()


def test_on_this_machine(build, folder):
    output = ended("a night on this machine", night(build, folder, "--local"))
    check("it names what it ran", "seeds" in output, output)
    rows, kinds = merged(folder)
    check("its result is the sum of its shards", kinds == {"seeds": {"shards": SHARDS, "passed": 20 * SHARDS, "failed": 0}}, kinds)
    check("each shard is a turn", sum(row["turns"] for row in rows.values()) == SHARDS, rows)
    return rows, kinds


def test_a_shard_counts_once(build, folder, expected):
    """Run again by hand, and twice at once: the result stays."""
    again = subprocess.run([ROOT / "scripts/shard", folder, "3"], text=True, stdout=subprocess.PIPE, check=True)
    check("a shard that is run again tells its result", again.stdout == "shard 3: 20 passed, 0 failed\n", again.stdout)
    (folder / "done/3.json").unlink()
    both = [subprocess.Popen([ROOT / "scripts/shard", folder, "3"], stdout=subprocess.DEVNULL) for _ in range(2)]
    codes = [process.wait(timeout=60) for process in both]
    check("a shard that is run twice at once passes both times", codes == [0, 0], codes)
    ended("the night after it", night(build, folder, "--local"))
    check("a shard counts once", merged(folder) == expected, merged(folder))


def test_a_killed_night_goes_on(build, folder, expected):
    process = night(build, folder, "--local", "--jobs", "2")
    assert until(lambda: len(list((folder / "done").glob("*"))) >= 2), "no shard ends"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    output = ended("the night after one that was killed", night(build, folder, "--local"))
    check("it runs what was left", f"of {SHARDS} shards" in output and f"{SHARDS} of {SHARDS} shards" not in output, output)
    check("a killed night goes on", merged(folder) == expected, merged(folder))


def test_a_stopped_shard_has_no_result(folder):
    """Also if its program ends by itself when it is asked to."""
    program = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit('0 passed, 0 failed')); print(flush=True); time.sleep(60)"
    (folder / "done").mkdir(parents=True)
    slow = {"kind": "seeds", "name": "slow", "command": [sys.executable, "-c", program], "leaves": None}
    (folder / "plan.json").write_text(json.dumps({"revision": "0", "shards": [slow]}))
    shard = subprocess.Popen([ROOT / "scripts/shard", folder, "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert until(lambda: begun(folder)), "no shard begins"
    time.sleep(1)
    shard.terminate()
    code = shard.wait(timeout=30)
    check("a stopped shard tells the signal", code == 128 + signal.SIGTERM, code)
    check("a stopped shard has no result", not list((folder / "done").glob("*")))


def test_a_failure_is_told(build, folder):
    program = (build / "dma_random").read_text()
    write(build / "dma_random", program.replace('"failed": 0', '"failed": 1'))
    process = night(build, folder, "--local")
    output = process.communicate(timeout=120)[0]
    write(build / "dma_random", program)
    check("a failure fails the night", process.returncode == 1 and f"{19 * SHARDS} passed, {SHARDS} failed" in output, output)
    check("a failure is told", "shard 0 (dma-" in output, output)


def test_refusals(build, folder):
    """A plan of another revision, a shard that is not there, a step that cannot be divided."""
    plan = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps({**plan, "revision": "0123456789ab"}))
    output = night(build, folder, "--local").communicate(timeout=60)[0]
    (folder / "plan.json").write_text(json.dumps(plan))
    check("a plan of another revision is refused", "is of revision 0123456789ab, the sources are" in output, output)
    refused = subprocess.run([ROOT / "scripts/shard", folder, "8"], text=True, stderr=subprocess.PIPE)
    check("a shard that is not there is refused", refused.returncode == 1 and "there is no shard 8" in refused.stderr
          and "shards 0 to 7" in refused.stderr, refused.stderr)
    other = subprocess.run([ROOT / "scripts/nightly", "--cluster", folder / "x", "area"], text=True, stderr=subprocess.PIPE)
    check("a step that cannot be divided is refused", other.returncode == 1
          and "no step is called area; legal are seeds, proofs, faults, coverage" in other.stderr, other.stderr)


def test_on_a_cluster(build, folder, expected):
    """One shard and the daemon of the node are killed while the array runs."""
    with tempfile.TemporaryDirectory(prefix="tessera-slurm-") as name:
        cluster = Cluster(Path(name))
        try:
            process = night(build, folder, environment=cluster.environment)
            assert until(lambda: len(begun(folder)) >= 2), "no shard begins"
            victim = max(number for number in begun(folder) if processes(folder, number))
            for pid in processes(folder, victim):
                os.kill(pid, signal.SIGKILL)
            cluster.kill_node()
            output = ended("a night on a cluster", process)
        finally:
            cluster.stop()
    check("all its shards are handed to Slurm", f"sbatch: {SHARDS} shards of seeds, attempt 1 of 3" in output, output)
    check("the killed one is told and tried again", "1 without a result" in output and "FAILED on" in output
          and "sbatch: 1 shards of seeds, attempt 2 of 3" in output, output)
    check("a night on a cluster comes to the same", merged(folder) == expected, merged(folder))


def main():
    with tempfile.TemporaryDirectory() as name:
        home, build = Path(name), Path(name) / "build"
        build.mkdir()
        write(build / "tessera", PROGRAM.replace("LISTED", repr("[]")))
        write(build / "dma_random", PROGRAM.replace("LISTED", repr("basic\nplain")))
        expected = test_on_this_machine(build, home / "a")
        test_a_shard_counts_once(build, home / "a", expected)
        test_a_killed_night_goes_on(build, home / "b", expected)
        test_a_stopped_shard_has_no_result(home / "e")
        test_a_failure_is_told(build, home / "c")
        test_refusals(build, home / "a")
        if missing := [program for program in NEEDED if not shutil.which(program)]:
            print(f"test_on_a_cluster: skipped, {', '.join(missing)} not installed (scripts/setup installs Slurm)")
        else:
            test_on_a_cluster(build, home / "d", expected)
    check.finish()


if __name__ == "__main__":
    main()
