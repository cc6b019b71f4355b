/**
 * Makes a virtual environment where the Python lacks ensurepip (Debian without python3-venv) too: then pip comes as a
 * wheel from the index that pip itself would use.
 */
export const makeVenv = `import json, os, re, subprocess, sys, tempfile, urllib.parse, urllib.request, venv

folder = sys.argv[1]
try:
    import ensurepip  # noqa: F401
    venv.create(folder, with_pip=True, clear=True, symlinks=True)
    sys.exit(0)
except (ImportError, subprocess.CalledProcessError):
    venv.create(folder, with_pip=False, clear=True, symlinks=True)

python = os.path.join(folder, "bin", "python")
with tempfile.TemporaryDirectory() as scratch:
    own = subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if own.returncode == 0:
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-d", scratch, "pip"], check=True)
        wheel = os.path.join(scratch, os.listdir(scratch)[0])
    else:
        index = os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"
        request = urllib.request.Request(index.rstrip("/") + "/pip/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
        with urllib.request.urlopen(request, timeout=60) as reply:
            files = json.load(reply)["files"]
        final = [f for f in files if re.fullmatch(r"pip-[0-9.]+-py3-none-any\\.whl", f["filename"]) and not f.get("yanked")]
        newest = max(final, key=lambda f: [int(n) for n in f["filename"].split("-")[1].split(".")])
        wheel = os.path.join(scratch, newest["filename"])
        address = urllib.parse.urljoin(request.full_url, newest["url"])
        with urllib.request.urlopen(address, timeout=300) as reply, open(wheel, "wb") as out:
            out.write(reply.read())
    subprocess.run([python, os.path.join(wheel, "pip"), "install", "--no-index", "--no-cache-dir", wheel], check=True)
`

/**
 * Puts the work tree, and the folders that folders.txt lists, on the import path of the environment, for projects that
 * cannot be installed.
 */
export const linkProject = `import os, sysconfig

root = os.getcwd()
projects = [root]
listed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "folders.txt")
if os.path.exists(listed):
    with open(listed, encoding="utf-8") as lines:
        projects += [os.path.join(root, line.rstrip("\\n")) for line in lines]
folders = [os.path.join(project, name) for project in projects for name in ("", "src", "lib")]
with open(os.path.join(sysconfig.get_path("purelib"), "work_tree.pth"), "w", encoding="utf-8") as out:
    out.write("".join(os.path.normpath(folder) + "\\n" for folder in folders if os.path.isdir(folder)))
`
