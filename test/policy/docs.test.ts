import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rootUptakeShare } from '../../src/domain/moisture/summary-curve.ts';
import { allNetworks } from '../../src/service/ingest/payload/lorawan/networks.ts';
import { allPresets } from '../../src/service/ingest/payload/presets.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const docs = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md', ...docs];

const withoutExamples = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** Links to other sites are left out. */
const relativeLinks = (text: string): string[] =>
  [...withoutExamples(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target));

/** The anchors that GitHub creates for headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading]) => heading!,
  );
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return slugs.map((slug, index) => {
    const before = slugs.slice(0, index).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

function faultOf(page: string, link: string, read: (page: string) => string | null): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path)).replaceAll('\\', '/');
  const text = read(target);
  if (text === null) return `${page} links to ${target}, which does not exist`;
  if (anchor !== undefined && !anchorsOf(text).includes(anchor))
    return `${page} links to ${target}#${anchor}, no heading`;
  return null;
}

/** A device of LoRaWAN is listed for one network. */
const shownName = (preset: string): string =>
  isLorawan(preset) ? preset.slice(preset.indexOf('/') + 1) : preset;

const isLorawan = (preset: string): boolean =>
  allNetworks().some(({ name }) => preset.startsWith(`${name}/`));

function readIfThere(page: string): string | null {
  if (!existsSync(join(ROOT, page))) return null;
  return page.endsWith('.md') ? textOf(page) : '';
}

describe('docs/probes.md', () => {
  it('lists every preset', () => {
    const text = textOf('docs/probes.md');
    const names = [...new Set(allPresets().map(({ name }) => shownName(name)))];
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    const faults = relativeLinks(textOf(page)).map((link) => faultOf(page, link, readIfThere));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});

describe('the check of links', () => {
  const site: Record<string, string> = {
    'README.md': '# A\n[b](docs/b.md#two-words)',
    'docs/b.md': '# B\n## Two words\n## Two words\n```\n# no heading\n```\n',
  };
  const read = (page: string) => site[page] ?? null;

  it.each([
    ['README.md', 'docs/c.md'],
    ['README.md', 'docs/b.md#three'],
    ['README.md', '#b'],
    ['docs/b.md', 'c.md'],
    ['docs/b.md', '#no-heading'],
  ])('reports in %s that %s leads nowhere', (page, link) =>
    expect(faultOf(page, link, read)).toContain(page),
  );

  it.each([
    ['README.md', 'docs/b.md#two-words'],
    ['docs/b.md', '#two-words-1'],
    ['docs/b.md', '../README.md#a'],
  ])('accepts in %s %s', (page, link) => expect(faultOf(page, link, read)).toBeNull());

  it('checks links and pictures, but neither examples nor other sites', () => {
    const text =
      '[a](a.md) ![p](p.png) `[c](c.md)` [site](https://example.org/x.md)\n```\n[d](d.md)\n```\n';
    expect(relativeLinks(text)).toEqual(['a.md', 'p.png']);
  });
});

it('the README is short, and leads to every page of docs/', () => {
  const readme = textOf('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const linked = relativeLinks(readme).map((link) => link.split('#')[0]);
  expect(docs.filter((page) => !linked.includes(page))).toEqual([]);
});

it('the architecture page names every folder of src/', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const [, tree = ''] = /^src\/\n((?: {2}.*\n)+)/m.exec(textOf('docs/architecture.md')) ?? [];
  const named = [...tree.matchAll(/^ {2}(\w+)\//gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});

it('docs/doses.md gives the shares of the quarters of the root zone that the curve is weighted by', () => {
  const shares = [0, 25, 50, 75].map((topCm) =>
    Math.round(100 * rootUptakeShare({ topCm, bottomCm: topCm + 25 }, 100)),
  );
  expect(textOf('docs/doses.md')).toContain(
    `${shares.slice(0, -1).join(', ')} and ${shares.at(-1)} % per quarter of the root zone`,
  );
});

/** The files that a page names in code. */
const namedFiles = (page: string): string[] =>
  [...page.matchAll(/`((?:src|tools|test|demo|scripts)\/[\w./-]+\.(?:ts|tsx|mjs))`/g)].map(
    ([, path]) => path!,
  );

/** Rows such as "| 1 | `src/a.ts` | `nameOfIt` does it |". */
const walkOf = (page: string): { file: string; name: string }[] =>
  [...page.matchAll(/^\| \d+[a-z]? \| `([^`]+)` \| `(\w+)` /gm)].map(([, file, name]) => ({
    file: file!,
    name: name!,
  }));

describe('docs/architecture.md', () => {
  const page = textOf('docs/architecture.md');

  it('names only files that exist', () => {
    const files = namedFiles(page);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it('walks a watering through functions that are in their files', () => {
    const steps = walkOf(page);
    const missing = steps.filter(
      ({ file, name }) => !new RegExp(`\\b${name}\\b`).test(textOf(file)),
    );
    expect(missing).toEqual([]);
    expect(steps.length).toBeGreaterThan(12);
  });

  it('is found wrong where a row names another file', () => {
    expect(walkOf('| 1 | `src/a.ts` | `runIt` runs it |\n')).toEqual([
      { file: 'src/a.ts', name: 'runIt' },
    ]);
    expect(namedFiles('see `src/a/b.ts` and `src/a`')).toEqual(['src/a/b.ts']);
  });
});
