import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { folderForFile, newFolder } from '../temporary-places.ts';
import { addPublishedFields } from './published-fields.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));

/** The scripts have no types. */
const imported = (name: string) =>
  import(pathToFileURL(join(root, 'scripts', 'release', name)).href);

const { name, version } = await readJson(root, 'package.json');

it('every place that states the version states that of package.json', async () => {
  const { statedVersions } = await imported('readiness.mjs');
  const stated: { where: string; version: string }[] = await statedVersions(root);
  expect(stated.filter((each) => each.version !== version)).toEqual([]);
  // Lock file (twice), plugin and README.
  expect(stated.length).toBe(4);
});

/** The files that a release reads before it builds. */
const READ = [
  'scripts',
  'packages',
  'package.json',
  'package-lock.json',
  'README.md',
  'docs/changelog.md',
  '.gitignore',
];

describe('npm run release', () => {
  let clone: string;
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: clone });
  const commit = async () => {
    await git('add', '--all');
    await git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.org',
      'commit',
      '--quiet',
      '--message',
      'Release',
    );
  };
  const change = async (file: string, before: string | RegExp, after: string) => {
    const text = await readFile(join(clone, file), 'utf8');
    expect(text).toMatch(before);
    await writeFile(join(clone, file), text.replace(before, after));
  };
  const release = (...options: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [join(clone, 'scripts', 'release.mjs'), ...options],
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });

  beforeEach(async () => {
    clone = await newFolder();
    await mkdir(clone, { recursive: true });
    for (const path of READ) await cp(join(root, path), join(clone, path), { recursive: true });
    await git('init', '--quiet');
    await change(
      'docs/changelog.md',
      '# Changelog\n',
      `# Changelog\n\n## [${version}] - 2026-11-23\n\n- A change.\n`,
    );
    await addPublishedFields(clone);
    await commit();
  });

  it('can begin in a clean clone whose changelog names the version', async () => {
    expect(await release('--check')).toEqual({
      code: 0,
      stdout: `${version} can be built.\n`,
      stderr: '',
    });
  });

  it('says how it is used, and builds nothing for an option that it does not know', async () => {
    expect(await release('--help')).toEqual({
      code: 0,
      stdout: expect.stringContaining('[--check]'),
      stderr: '',
    });
    const { code, stdout, stderr } = await release('--chek');
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/'--chek'.*\[--check\]/s),
    ]);
  });

  const refused = async () => {
    const { code, stdout, stderr } = await release();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Nothing was built\.\n/);
    return stderr;
  };

  it('refuses what is not committed, and names it', async () => {
    await writeFile(join(clone, 'forgotten.txt'), '');
    await change('README.md', '# Acequia', '# Acequia!');
    const stderr = await refused();
    expect(stderr).toContain('Commit or remove first');
    expect(stderr).toContain('?? forgotten.txt');
    expect(stderr).toContain(' M README.md');
  });

  it('refuses a folder that is not a clone', async () => {
    const folder = await newFolder();
    for (const path of READ) await cp(join(clone, path), join(folder, path), { recursive: true });
    clone = folder;
    expect(await refused()).toContain('This folder is not a clone');
  });

  it.each([
    ['does not name', /^## \[\d.*$/m, '## [0.0.1] - 2026-11-23'],
    ['has without its day', /^(## \[\d.*\]) - .*$/m, '$1'],
    ['has without a change', '- A change.\n', ''],
  ])('refuses a version that the changelog %s', async (_, before, after) => {
    await change('docs/changelog.md', before, after);
    await commit();
    expect(await refused()).toMatch(
      new RegExp(`docs/changelog\\.md .*${version.replaceAll('.', '\\.')}`),
    );
  });

  it('refuses to build beside another release in the same clone, which it leaves alone', async () => {
    const other = join(clone, 'build', 'release.tmp');
    await mkdir(other, { recursive: true });
    const { code, stdout, stderr } = await release();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('remove build/release.tmp');
    expect(await readdir(other)).toEqual([]);
  });

  it('refuses versions that disagree, and says where each is', async () => {
    await change('packages/plugin/.claude-plugin/plugin.json', version, '0.0.7');
    await commit();
    expect(await refused()).toContain(
      `packages/plugin/.claude-plugin/plugin.json says version 0.0.7, package.json ${version}.`,
    );
  });

  it('refuses a package that does not say whose it is', async () => {
    await change('package.json', /"mcpName".*\n/, '');
    await commit();
    expect(await refused()).toContain(
      'package.json has no "mcpName": docs/releasing.md says what to add before the first release.',
    );
  });
});

describe('the bill of materials', () => {
  interface Component {
    readonly name: string;
    readonly scope: string;
    readonly licenses: readonly object[];
    readonly hashes: readonly object[];
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  }
  const INSTANT = '2026-11-23T00:00:00.000Z';
  // biome-ignore lint/suspicious/noExplicitAny: JSON from another program
  let bill: any;
  let folder: string;
  beforeAll(async () => {
    const { billOfMaterials } = await imported('bill-of-materials.mjs');
    // A folder with another name, which npm would take for the name of the application.
    folder = await folderForFile();
    await mkdir(join(folder, 'build'));
    for (const path of ['package.json', 'package-lock.json', 'build/bundled.json'])
      await cp(join(root, path), join(folder, path));
    bill = await billOfMaterials(folder, { name }, INSTANT);
  });

  it('is of this version and instant, without anything random', async () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { timestamp: INSTANT, component: { name, version } },
    });
    expect(bill).not.toHaveProperty('serialNumber');
  });

  it('lists what is bundled and copied, and what npm installs, each with a licence and a hash', () => {
    const components: Component[] = bill.components;
    const how = (wanted: string) =>
      components.find((each) => each.name === wanted)?.properties[0]?.value;
    for (const bundled of ['zod', 'hono', 'kysely', 'pg', 'swagger-ui-dist', 'dejavu-fonts-ttf'])
      expect([bundled, how(bundled)]).toEqual([bundled, 'bundled']);
    for (const installed of ['@photostructure/sqlite', '@resvg/resvg-js', 'node-gyp-build'])
      expect([installed, how(installed)]).toEqual([installed, 'installed']);
    for (const { name, licenses, hashes } of components)
      expect([name, licenses.length > 0, hashes.length]).toEqual([name, true, 1]);
  });

  it('lists no package of tests, checks and the build', () => {
    const names = bill.components.map((each: Component) => each.name);
    for (const other of ['vitest', 'esbuild', '@biomejs/biome', 'typescript', 'playwright-core'])
      expect(names).not.toContain(other);
  });

  it('says what depends on what, of listed packages only', () => {
    const listed = new Set([
      bill.metadata.component['bom-ref'],
      ...bill.components.map((each: { 'bom-ref': string }) => each['bom-ref']),
    ]);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const each of [ref, ...dependsOn])
        expect([each, listed.has(each)]).toEqual([each, true]);
    expect(bill.dependencies).toHaveLength(listed.size);
  });
});
