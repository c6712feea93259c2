import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmInstall, outputOf } from './commands.mjs';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const driverAt = (file) => fileURLToPath(new URL(`./drivers/${file}`, import.meta.url));

/**
 * The newest version of a client, in a folder of its own. It runs with the newest Node, has no
 * account, and reaches nothing but this machine.
 */
export async function installClient({ name, packages, wheels, driver, bin }, folder, node) {
  const at = join(folder, name);
  const path = `${node.bin}${delimiter}${process.env.PATH}`;
  if (packages) await npmInstall(at, packages, { path });
  else await installWheels(at, wheels);
  if (driver) await copyFile(driverAt(driver), join(at, driver));
  let program;
  if (wheels) program = join(at, 'venv', 'bin', 'python');
  else program = driver ? join(node.bin, 'node') : binaryAt(at, bin);
  const before = driver ? [join(at, driver)] : [];
  return {
    folder: at,
    version: packages ? await installedVersion(at, packages[0]) : await wheelVersion(at, wheels[0]),
    /**
     * Runs it in an empty folder, which is also its home, with files that it finds there; gives all
     * it wrote.
     */
    async run(home, args, { files = {}, env = {} } = {}) {
      await mkdir(home, { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        await mkdir(join(home, file, '..'), { recursive: true });
        await writeFile(
          join(home, file),
          typeof content === 'string' ? content : JSON.stringify(content),
        );
      }
      return outputOf(program, [...before, ...args], {
        cwd: home,
        env: { ...cutOff(home, path), ...env },
      });
    },
  };
}

const binaryAt = (at, bin) => join(at, 'node_modules', '.bin', bin);

async function installedVersion(at, name) {
  return JSON.parse(await readFile(join(at, 'node_modules', name, 'package.json'), 'utf8')).version;
}

async function installWheels(at, wheels) {
  const venv = join(at, 'venv');
  await mkdir(at, { recursive: true });
  await outputOf('python3', ['-m', 'venv', venv], { cwd: at, env: process.env });
  const args = ['install', '--quiet', '--retries', '0', '--timeout', '10', ...wheels];
  await outputOf(join(venv, 'bin', 'pip'), args, { cwd: at, env: process.env });
}

async function wheelVersion(at, name) {
  const shown = await outputOf(join(at, 'venv', 'bin', 'pip'), ['show', name], {
    cwd: at,
    env: process.env,
  });
  return /^Version: (.+)$/m.exec(shown)[1];
}

const cutOff = (home, path) => ({
  PATH: path,
  HOME: home,
  USERPROFILE: home,
  TMPDIR: home,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  CI: '1',
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
});

/** The folder of one try, empty. */
export async function emptyHome(folder, ...names) {
  const home = join(folder, 'tries', names.map((name) => basename(name)).join('-'));
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  return home;
}
