// The native packages of every platform that the bundle supports: the installed ones, else those of
// the lock file, which are downloaded.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

/** `os` and `cpu` in the package.json of a package for one platform. */
const SYSTEMS = ['linux', 'darwin', 'win32'];
const PROCESSORS = ['x64', 'arm64'];

export const platformPackages = ({ packages }) =>
  Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/@resvg/resvg-js-'))
    .filter(([, { os, cpu }]) => SYSTEMS.includes(os?.[0]) && PROCESSORS.includes(cpu?.[0]))
    .map(([path, { version, integrity }]) => ({
      path,
      name: path.slice('node_modules/'.length),
      version,
      integrity,
    }));

export class UnavailablePackageError extends Error {}

export async function filesOf(wanted, root, { isOffline }) {
  const installed = await installedFiles(wanted, root);
  if (installed) return installed;
  if (isOffline)
    throw new UnavailablePackageError('it is not installed here, and nothing is fetched');
  const folder = await mkdtemp(join(tmpdir(), 'acequia-native-'));
  try {
    const tarball = await fetchTarball(wanted, folder);
    const files = readTarball(tarball).filter(({ name }) =>
      /^package\/(package\.json|[\w.-]+\.node)$/.test(name),
    );
    return files.map(({ name, content }) => ({ name: name.slice('package/'.length), content }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function installedFiles({ path, name, version }, root) {
  const described = await readFile(join(root, path, 'package.json')).catch(() => null);
  if (described === null || JSON.parse(described).version !== version) return null;
  const binary = JSON.parse(described).main;
  const content = await readFile(join(root, path, binary)).catch(() => {
    throw new UnavailablePackageError(`${name} is installed without ${binary}`);
  });
  return [
    { name: 'package.json', content: described },
    { name: binary, content },
  ];
}

/** From the registry configured in npm; the lock file's checksum verifies it. */
async function fetchTarball({ name, version, integrity }, folder) {
  const line = [
    'pack',
    `${name}@${version}`,
    '--pack-destination',
    folder,
    '--silent',
    '--ignore-scripts',
  ];
  const { stdout } = await promisify(execFile)('npm', line, {
    shell: process.platform === 'win32',
  }).catch((error) => {
    const [reason = ''] = `${error.stderr}`.split('\n').filter((each) => /error/i.test(each));
    throw new UnavailablePackageError(
      `the registry does not provide it${reason && `: ${reason.trim()}`}`,
    );
  });
  const tarball = await readFile(join(folder, stdout.trim().split('\n').at(-1)));
  const [algorithm, wanted] = integrity.split('-');
  if (createHash(algorithm).update(tarball).digest('base64') !== wanted)
    throw new Error(
      `${name}@${version} does not match package-lock.json: its ${algorithm} checksum differs.`,
    );
  return tarball;
}

const BLOCK = 512;

const textAt = (bytes, start, length) =>
  bytes.toString('utf8', start, start + length).split('\0', 1)[0];

/** Format: POSIX ustar, which npm writes. */
export function readTarball(tarball) {
  const bytes = gunzipSync(tarball);
  const files = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8);
    const kind = textAt(bytes, at + 156, 1);
    const prefix = textAt(bytes, at + 345, 155);
    const name = textAt(bytes, at, 100);
    const start = at + BLOCK;
    if (kind === '0' || kind === '')
      files.push({
        name: prefix ? `${prefix}/${name}` : name,
        content: bytes.subarray(start, start + size),
      });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
