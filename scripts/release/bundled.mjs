import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileOf = (root) => join(root, 'build', 'bundled.json');

/** node_modules/a/node_modules/b for a file of the package b, as package-lock.json names it. */
const packageOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];

/** What dist consists of: our folders, and the packages whose code is bundled or, as package.json does not tell, copied. */
export async function writeBundled(root, metafile, copied) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const bundled = paths.map(packageOf).filter((path) => path !== undefined);
  const packages = [...new Set([...bundled, ...copied.map((name) => `node_modules/${name}`)])].sort();
  const own = paths.filter((path) => packageOf(path) === undefined).map((path) => /^([\w-]+)\//.exec(path)?.[1]);
  const folders = [...new Set(own.filter((folder) => folder !== undefined))].sort();
  await mkdir(join(root, 'build'), { recursive: true });
  await writeFile(fileOf(root), `${JSON.stringify({ folders, packages }, null, 2)}\n`);
}

export const readBundled = async (root) => JSON.parse(await readFile(fileOf(root), 'utf8'));
