import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkImports } from './layers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function checkFixture(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-layers-'));
  try {
    for (const [path, text] of Object.entries({ 'src/a.ts': '', 'tools/a.ts': '', 'demo/a.ts': '', ...files })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await checkImports(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('lets every module import only what stands below it, and sees all of them', async () => {
  const { modules, edges, violations } = await checkImports(root);
  const files = (
    await Promise.all(['src', 'tools', 'demo'].map((folder) => readdir(join(root, folder), { recursive: true })))
  )
    .flat()
    .filter((file) => file.endsWith('.ts'));
  expect(violations).toEqual([]);
  expect(modules).toBe(files.length);
  expect(modules).toBeGreaterThan(80);
  expect(edges).toBeGreaterThan(modules);
});

it.each([
  ['src/domain', 'src/language'],
  ['src/domain', 'src/schema'],
  ['src/schema', 'src/language'],
  ['src/language', 'src/chart'],
  ['src/chart', 'src/store'],
  ['src/schema', 'src/store'],
  ['src/store', 'src/operation'],
  ['src/operation', 'src/service'],
  ['src/service', 'tools'],
  ['tools', 'src/mcp'],
  ['src/mcp', 'src/http'],
  ['src/http', 'src/mcp'],
  ['src/remote', 'src/mcp'],
  ['src/mcp', 'src/cli'],
  ['src/domain', 'src/cli'],
])('finds that %s imports from %s, also a type alone', async (from, to) => {
  const up = (path: string) => '../'.repeat(path.split('/').length);
  for (const words of ['import { b }', 'import type { B as b }']) {
    const { violations, modules } = await checkFixture({
      [`${from}/one.ts`]: `${words} from '${up(from)}${to}/two.ts'; export const a: unknown = null as unknown as typeof b;`,
      [`${to}/two.ts`]: 'export const b = 1; export type B = number;',
    });
    expect(violations).toEqual([`${from} imports only what stands below it: ${from}/one.ts -> ${to}/two.ts`]);
    expect(modules).toBe(5);
  }
});

it.each([
  ['src/domain/soil', 'src/domain/alerts'],
  ['src/service/alerts', 'src/service/irrigation'],
  ['src/store/irrigation', 'src/store/monitoring'],
  ['src/service/farm', 'src/service/ingest'],
  ['src/service/advice', 'src/service/jobs'],
])('finds that %s imports from %s', async (from, to) => {
  const { violations } = await checkFixture({
    [`${from}/one.ts`]: `import { b } from '../${to.split('/').at(-1)}/two.ts'; export const a = b;`,
    [`${to}/two.ts`]: 'export const b = 1;',
  });
  expect(violations).toEqual([`${from} imports only features below it: ${from}/one.ts -> ${to}/two.ts`]);
});

it('lets the upper layers import the lower ones', async () => {
  const { violations, edges } = await checkFixture({
    'src/cli/one.ts': "import { b } from '../mcp/two.ts'; export const a = b;",
    'src/mcp/two.ts': "import { c } from '../domain/three.ts'; export const b = c;",
    'src/domain/three.ts': 'export const c = 1;',
  });
  expect(violations).toEqual([]);
  expect(edges).toBe(2);
});

it('finds a ring of imports', async () => {
  const { violations } = await checkFixture({
    'src/domain/one.ts': "import { b } from './two.ts'; export const a = () => b;",
    'src/domain/two.ts': "import { a } from './one.ts'; export const b = () => a;",
  });
  expect(violations).toContain('no file imports itself by a detour: src/domain/one.ts -> src/domain/two.ts');
});

it.each([
  ['src/cli/one.ts', '@modelcontextprotocol/sdk/types.js', 'only ^src/mcp/ imports @modelcontextprotocol/sdk'],
  ['src/cli/one.ts', 'hono', 'only ^src/http/ imports (^|node_modules/)@?hono(/|$)'],
  ['src/cli/two.ts', '@hono/node-server', 'only ^src/http/ imports (^|node_modules/)@?hono(/|$)'],
  ['src/service/one.ts', 'nodemailer', 'only ^src/cli/ imports (^|node_modules/)nodemailer(/|$)'],
  ['src/http/one.ts', 'undici', 'only ^src/remote/ imports (^|node_modules/)undici(/|$)'],
  ['src/service/one.ts', '@photostructure/sqlite', 'only ^src/store/ imports @photostructure/sqlite'],
  ['src/service/one.ts', '@resvg/resvg-js', 'only ^src/chart/ imports (^|node_modules/)@resvg/resvg-js(/|$)'],
  ['src/mcp/one.ts', 'zod-to-json-schema', 'only ^src/operation/json-schema[.]ts$ imports zod-to-json-schema'],
  ['src/domain/one.ts', 'node:fs', 'the rules know no system'],
])('finds that %s imports %s', async (file, imported, rule) => {
  const { violations } = await checkFixture({ [file]: `import * as b from '${imported}'; export const a = b;` });
  expect(violations.map((violation) => violation.split(': ')[0])).toEqual([rule]);
});
