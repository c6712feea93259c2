import { expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { WATERING } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { runInProcess } from '../../in-process-command.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { bodyOf, firstText, type McpSession, startStdioServer } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';
import { serveStoreForTest } from '../rest-service.ts';
import { connectOverHttp, mcpUrl } from './http/mcp-http-client.ts';

/** A farm in France, with a probe that has no name. */
const unnamedProbe = templateStore((db) =>
  importFarmFile(db, {
    company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    modules: [
      { uid: 'A12', number: 12, category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' },
    ],
  }),
);

const newFarm = async (): Promise<string> => copyOfStore(await unnamedProbe());

const NAMES: Record<Lang, string> = { en: 'Soil probe 12', fr: 'Sonde 12', es: 'Sonda 12' };
const logged = (lang: Lang): RegExp => new RegExp(`^Logged 45 min .* ${NAMES[lang]}, today 06:00`);

/** Sentences are in English; default names and labels follow the session, and each is understood. */
async function expectLanguage({ call, client }: McpSession, lang: Lang): Promise<void> {
  for (const module of ['sonde 12', 'soil probe 12', 'sonda 12'])
    expect(firstText(await call('log_watering', { ...WATERING, module }))).toMatch(logged(lang));
  const { data } = bodyOf(await call('list_modules'));
  expect(data[0].name).toBe(NAMES[lang]);
  expect(bodyOf(await call('get_enums', { lang: 'fr' })).irrigation_systems[0].label).toBe(
    'Goutte-à-goutte',
  );
  const { contents } = await client.readResource({ uri: 'acequia://catalog/enums' });
  const { irrigation_systems } = JSON.parse((contents[0] as { text: string }).text);
  expect(irrigation_systems[0].label).toBe(
    { en: 'Drip', fr: 'Goutte-à-goutte', es: 'Goteo' }[lang],
  );
}

it('a session on a French farm with ACEQUIA_LANG and --lang has that of --lang', async () =>
  expectLanguage(
    await startStdioServer(['--db', await newFarm(), '--lang', 'es'], { ACEQUIA_LANG: 'fr' }),
    'es',
  ));

it('a service has names in its --lang at /mcp, and a session with --remote in its own', async () => {
  const { base, newKey } = await serveStoreForTest(
    await newFarm(),
    '--clock',
    CLOCK,
    '--lang',
    'es',
  );
  const key = await newKey('--surface', 'mcp');
  await expectLanguage(await connectOverHttp(mcpUrl(base), { 'x-api-key': key }), 'es');
  const env = { ACEQUIA_API_KEY: key };
  await expectLanguage(await startStdioServer(['--remote', base, '--lang', 'fr'], env), 'fr');
});

it.each<[string, string[], Record<string, string>, Lang]>([
  ['English without a language', [], {}, 'en'],
  ['ACEQUIA_LANG', [], { ACEQUIA_LANG: 'fr' }, 'fr'],
  ['--lang', ['--lang', 'fr'], {}, 'fr'],
])('acequia call prints a sentence in English, with names in %s', async (_, options, env, lang) => {
  const watering = Object.entries({ ...WATERING, module: 'Sonde 12' }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const store = ['--db', await newFarm(), '--clock', CLOCK];
  const args = ['call', 'log_watering', ...watering, ...store, ...options];
  expect((await runInProcess(args, { env })).stdout).toMatch(logged(lang));
});
