import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const IMPORT = /(?:^import |\bfrom |\bimport\()'([@a-z][\w@/.:-]*)'/gm;

/** "hono/secure-headers" is of the package "hono", "@hono/node-server/x" of "@hono/node-server". */
const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

/** Includes packages of types alone, and those that a function loads when it needs them. */
const packagesIn = (source: string): string[] =>
  [...source.matchAll(IMPORT)]
    .map(([, module]) => module!)
    .filter((module) => !isBuiltin(module))
    .map(packageOf);

const imported = new Set(
  ['src', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => packagesIn(text(join(folder, name)))),
  ),
);

interface Explanation {
  readonly where?: string;
  readonly why: string;
}

const explained: Readonly<Record<string, Explanation>> = JSON.parse(text('scripts/packages.json'));
const { dependencies } = JSON.parse(text('package.json')) as {
  dependencies: Record<string, string>;
};

/** Part of what is published, or of what the build makes from it. */
const IN_THE_PROGRAM = ['bundled', 'build'];

function unexplained(
  packages: Iterable<string>,
  installed: Readonly<Record<string, string>>,
  reasons: Readonly<Record<string, Explanation>>,
): string[] {
  return [...packages].filter(
    (name) => !(name in installed) && !IN_THE_PROGRAM.includes(reasons[name]?.where ?? ''),
  );
}

it('imports no package that is neither installed with the program nor listed as bundled', () => {
  expect(unexplained(imported, dependencies, explained)).toEqual([]);
  expect(imported.size).toBeGreaterThan(20);
});

it('shows every package that it imports, with the reason, in docs/packages.md', () => {
  const page = text('docs/packages.md');
  for (const name of imported) {
    const where = name in dependencies ? 'at run time' : explained[name]!.where;
    expect(page).toContain(`| ${name} | ${where} | ${explained[name]!.why} |`);
  }
});

it('installs only packages that it imports', () => {
  expect(Object.keys(dependencies).filter((name) => !imported.has(name))).toEqual([]);
});

it('names the six packages of its design in README.md', () => {
  const readme = text('README.md');
  for (const name of [
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/sdk',
    'zod',
    'zod-to-json-schema',
    'undici',
    'luxon',
    'vitest',
  ]) {
    expect(readme).toMatch(new RegExp(`^- .*\`${name}\`.* \\w+`, 'm'));
    expect(explained).toHaveProperty([name]);
  }
});

it('finds packages in every form of import', () => {
  const source = [
    "import a from 'hono/secure-headers';",
    "import type { B } from '@scope/name/deep';",
    "import 'side-effect';",
    "const { c } = await import('later');",
    "export { d } from 'again';",
    "import { readFile } from 'node:fs';",
    "import { e } from './own.ts';",
  ].join('\n');
  expect(packagesIn(source)).toEqual(['hono', '@scope/name', 'side-effect', 'later', 'again']);
});

it('finds a package that is used by tests alone', () => {
  const reasons = { a: { where: 'bundled', why: '' }, b: { where: 'tests', why: '' } };
  expect(unexplained(['a', 'b', 'c', 'd'], { d: '^1.0.0' }, reasons)).toEqual(['b', 'c']);
});
