// The reasons that keep a release from being built.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PUBLISHED_FIELDS } from './identity.mjs';

const VERSION = /\d+\.\d+\.\d+(?:-[\w.]+)?/;

/** The output as bytes, because an archive is not text. */
export const git = async (root, ...args) =>
  (await promisify(execFile)('git', args, { cwd: root, maxBuffer: 1e8, encoding: 'buffer' }))
    .stdout;

/** Every place that states the version of this program. */
export async function statedVersions(root) {
  const text = (name) => readFile(join(root, name), 'utf8');
  const json = async (name) => JSON.parse(await text(name));
  const [lock, plugin, readme] = await Promise.all([
    json('package-lock.json'),
    json('packages/plugin/.claude-plugin/plugin.json'),
    text('README.md'),
  ]);
  return [
    ['package-lock.json', lock.version],
    ['package-lock.json', lock.packages[''].version],
    ['packages/plugin/.claude-plugin/plugin.json', plugin.version],
    [
      'README.md',
      new RegExp(`acequia-mcp-(${VERSION.source})\\.mcpb`).exec(readme)?.[1] ?? 'no bundle',
    ],
  ].map(([where, version]) => ({ where, version }));
}

/** Null outside a clone. */
async function uncommitted(root) {
  try {
    const status = (await git(root, 'status', '--porcelain')).toString();
    return status.split('\n').filter((line) => line !== '');
  } catch {
    return null;
  }
}

async function reasonOfTree(root) {
  const changes = await uncommitted(root);
  if (changes === null) return 'This folder is not a clone: a release is built from a commit.';
  if (changes.length === 0) return undefined;
  return `A release is built from a commit. Commit or remove first:\n    ${changes.join('\n    ')}`;
}

async function reasonOfChangelog(root, version) {
  const sections = (await readFile(join(root, 'docs', 'changelog.md'), 'utf8'))
    .split(/^## /m)
    .slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  const heading = `## [${version}] - YYYY-MM-DD`;
  if (section === undefined)
    return `docs/changelog.md does not name ${version}: give its changes the heading "${heading}".`;

  const [title, ...lines] = section.split('\n');
  if (!/\] - \d{4}-\d{2}-\d{2}$/.test(title))
    return `docs/changelog.md does not say when ${version} is: write "${heading}".`;
  if (!lines.some((line) => line.startsWith('- ')))
    return `docs/changelog.md lists no change of ${version}.`;
  return undefined;
}

const reasonsOfFields = (described) =>
  PUBLISHED_FIELDS.filter((field) => described[field] === undefined).map(
    (field) =>
      `package.json has no "${field}": docs/releasing.md says what to add before the first release.`,
  );

export async function reasonsAgainst(root, described) {
  const { version } = described;
  const versions = (await statedVersions(root))
    .filter((stated) => stated.version !== version)
    .map((stated) => `${stated.where} says version ${stated.version}, package.json ${version}.`);
  const others = await Promise.all([reasonOfTree(root), reasonOfChangelog(root, version)]);
  return [...others, ...reasonsOfFields(described), ...versions].filter(
    (reason) => reason !== undefined,
  );
}
