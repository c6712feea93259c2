import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileOf = (root) => join(root, 'build', 'bundled-packages.json');

/** node_modules/a/node_modules/b for a file of the package b, as package-lock.json names it. */
const packageOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];

/** The packages whose code is in dist, of which package.json does not tell, and those that were copied there. */
export async function writeBundledPackages(root, metafile, copied) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const bundled = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => packageOf(path))
    .filter((path) => path !== undefined);
  const paths = [...new Set([...bundled, ...copied.map((name) => `node_modules/${name}`)])].sort();
  await mkdir(join(root, 'build'), { recursive: true });
  await writeFile(fileOf(root), `${JSON.stringify(paths, null, 2)}\n`);
}

export const readBundledPackages = async (root) => JSON.parse(await readFile(fileOf(root), 'utf8'));
