import { expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { WATERING } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { bodyOf, connectStdio, firstText, type McpSession, startStdioServer } from '../mcp-session.ts';
import { CLOCK, runCommand } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { connectOverHttp, mcpUrl } from './http/mcp-http-client.ts';

/** In France, with a probe that has no name. */
const unnamedProbe = templateStore((db) =>
  importFarmFile(db, {
    company: { name: 'Mas Rouge', countryCode: 'FR', timezone: 'Europe/Paris' },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    modules: [{ uid: 'A12', number: 12, category: 'SOIL_PROBE', commissionedAt: '2025-01-11T09:00:00Z' }],
  }),
);

const newFarm = async (): Promise<string> => copyOfStore(await unnamedProbe());

const LOGGED: Record<Lang, RegExp> = {
  en: /^Logged 45 min .* Soil probe 12, today 06:00/,
  fr: /^Arrosage enregistré : 45 min .* Sonde 12, aujourd’hui de 06:00/,
  es: /^Riego registrado: 45 min .* Sonda 12, hoy de 06:00/,
};

/** Each default name is understood in every session. */
async function expectLanguage({ call, client }: McpSession, lang: Lang): Promise<void> {
  for (const module of ['sonde 12', 'soil probe 12', 'sonda 12'])
    expect(firstText(await call('log_watering', { ...WATERING, module }))).toMatch(LOGGED[lang]);
  const { data } = bodyOf(await call('list_modules'));
  expect(data[0].name).toBe({ en: 'Soil probe 12', fr: 'Sonde 12', es: 'Sonda 12' }[lang]);
  expect(bodyOf(await call('get_enums', { lang: 'fr' })).irrigation_systems[0].label).toBe('Goutte-à-goutte');
  const { contents } = await client.readResource({ uri: 'acequia://catalog/enums' });
  const { irrigation_systems } = JSON.parse((contents[0] as { text: string }).text);
  expect(irrigation_systems[0].label).toBe({ en: 'Drip', fr: 'Goutte-à-goutte', es: 'Goteo' }[lang]);
}

const SESSIONS: readonly (readonly [Lang | undefined, Lang])[] = [
  [undefined, 'en'],
  ['fr', 'fr'],
  ['es', 'es'],
];

const langOption = (lang: Lang | undefined): string[] => (lang === undefined ? [] : ['--lang', lang]);

it.each(SESSIONS)('a session with --lang %s on a French farm has answers in %s', async (option, lang) =>
  expectLanguage(await connectStdio(await newFarm(), { lang: option }), lang),
);

it('the language comes from the environment too, and the option wins', async () => {
  const env = { ACEQUIA_LANG: 'fr' };
  await expectLanguage(await startStdioServer(['--db', await newFarm()], env), 'fr');
  await expectLanguage(await startStdioServer(['--db', await newFarm(), '--lang', 'es'], env), 'es');
});

it.each(SESSIONS)('a service with --lang %s has answers in %s at /mcp', async (option, lang) => {
  const db = await newFarm();
  const { base } = await serveStoreForTest(db, '--clock', CLOCK, ...langOption(option));
  const { key } = await createTestKey(db);
  await expectLanguage(await connectOverHttp(mcpUrl(base), { 'x-api-key': key }), lang);
});

it.each(SESSIONS)('a session with --remote and --lang %s has answers in %s', async (option, lang) => {
  const db = await newFarm();
  const { base } = await serveStoreForTest(db, '--clock', CLOCK, '--lang', 'es');
  const { key } = await createTestKey(db, '--surface', 'mcp');
  const env = { ACEQUIA_API_KEY: key };
  await expectLanguage(await startStdioServer(['--remote', base, ...langOption(option)], env), lang);
});

it.each(SESSIONS)('acequia call with --lang %s answers in %s', async (option, lang) => {
  const watering = Object.entries({ ...WATERING, module: 'Sonde 12' }).map(([name, value]) => `${name}=${value}`);
  const args = ['call', 'log_watering', ...watering, '--db', await newFarm(), '--clock', CLOCK, ...langOption(option)];
  expect((await runCommand(args)).stdout).toMatch(LOGGED[lang]);
});

it('an answer that is replayed is worded for the session that repeats the call', async () => {
  const db = await newFarm();
  const args = { ...WATERING, module: 'Sonde 12', idempotencyKey: 'k' };
  for (const lang of ['fr', 'en', 'es'] as const) {
    const result = await (await connectStdio(db, { lang })).call('log_watering', args);
    expect(firstText(result)).toMatch(LOGGED[lang]);
    expect(result._meta).toEqual(lang === 'fr' ? undefined : { 'acequia/replayed': true });
  }
});
