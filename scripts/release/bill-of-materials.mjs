// The software bill of materials of a release, CycloneDX 1.5, from npm's list of the locked
// packages.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Includes development packages, because most shipped packages are bundled and so are development
 * packages to npm.
 */
async function npmBill(root) {
  const args = [
    'sbom',
    '--package-lock-only',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
  ];
  const options = { cwd: root, maxBuffer: 1e8, shell: process.platform === 'win32' };
  return JSON.parse((await promisify(execFile)('npm', args, options)).stdout);
}

/** How each shipped package reaches a user, and its licence, by npm's reference (name@version). */
async function shippedPackages(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const bundled = new Set((await readBundled(root)).packages);
  const shipped = Object.entries(packages).flatMap(
    ([path, { version, license, dev, devOptional }]) => {
      if (path === '' || (!bundled.has(path) && (dev || devOptional))) return [];
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return [
        [`${name}@${version}`, { license, how: bundled.has(path) ? 'bundled' : 'installed' }],
      ];
    },
  );
  return new Map(shipped);
}

export async function billOfMaterials(root, { name }, instant) {
  const [bill, shipped] = await Promise.all([npmBill(root), shippedPackages(root)]);
  const own = bill.metadata.component;
  const isShipped = (reference) => reference === own['bom-ref'] || shipped.has(reference);

  const components = bill.components
    .filter((component) => isShipped(component['bom-ref']))
    .map((component) => {
      const { license, how } = shipped.get(component['bom-ref']);
      // npm marks bundled packages as optional, because they are development packages to it.
      const scope = how === 'bundled' ? 'required' : component.scope;
      // npm leaves out a licence that SPDX does not name.
      const licenses = component.licenses ?? [{ license: { name: license } }];
      return {
        ...component,
        scope,
        licenses,
        properties: [{ name: 'acequia:shipped', value: how }],
      };
    });

  const missing = [...shipped.keys()].filter((reference) =>
    components.every((component) => component['bom-ref'] !== reference),
  );
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`);

  const dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));

  // The random serial number is optional. npm names the application after its folder.
  const { serialNumber: _random, ...rest } = bill;
  const lifecycles = [{ phase: 'build' }];
  const metadata = {
    ...bill.metadata,
    timestamp: instant,
    lifecycles,
    component: { ...own, name },
  };
  return { ...rest, metadata, components, dependencies };
}

const fileOf = (root) => join(root, 'build', 'bundled.json');

/** node_modules/a/node_modules/b for a file of the package b, as package-lock.json names it. */
const packageOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];

/**
 * Records what dist consists of: folders of this repository, and packages whose code is bundled or
 * (`copied`) copied.
 */
export async function writeBundled(root, metafile, copied) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const bundled = paths.map(packageOf).filter((path) => path !== undefined);
  const packages = [
    ...new Set([...bundled, ...copied.map((name) => `node_modules/${name}`)]),
  ].sort();

  const own = paths
    .filter((path) => packageOf(path) === undefined)
    .map((path) => /^([\w-]+)\//.exec(path)?.[1]);
  const folders = [...new Set(own.filter((folder) => folder !== undefined))].sort();

  await mkdir(join(root, 'build'), { recursive: true });
  await writeFile(fileOf(root), `${JSON.stringify({ folders, packages }, null, 2)}\n`);
}

export const readBundled = async (root) => JSON.parse(await readFile(fileOf(root), 'utf8'));
