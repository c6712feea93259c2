import { describe, expect, it } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { EVENTS, RemoteTools, watering } from './remote-tools.ts';
import { jsonReaction, STUB_MODULES } from './stub-service.ts';

const IN_ENGLISH = 'today 06:00 to 06:40';

const remote = new RemoteTools({ lang: undefined });

async function logSummary(lang?: Lang, overrides: Record<string, unknown> = {}): Promise<string> {
  remote.connect({ lang });
  return (await remote.call('log_watering', watering(overrides))).summary;
}

describe('the summary of a remote call', () => {
  it('is in English, whatever the country of the company and the language of the session', async () => {
    expect(await logSummary()).toContain(IN_ENGLISH);
    expect(await logSummary('fr')).toContain(IN_ENGLISH);
  });

  it('comes with notes whose names are in the language of the session', async () => {
    await logSummary('fr');
    await logSummary();
    expect(remote.stub.requestsTo(EVENTS).map(({ headers }) => headers['acequia-remarks'])).toEqual(
      ['fr', 'en'],
    );
  });

  it('comes to a key that may not read the company', async () => {
    remote.stub.on('GET /v1/company', jsonReaction({ code: 'insufficient_scope' }, 403));
    const summary = await logSummary(undefined, { startedAt: '2026-07-01T04:00:00Z' });
    expect(summary).toContain('North 1, today 04:00 to 04:40 (UTC)');
  });
});

it('finds a module by its default name in every language', async () => {
  const [first] = STUB_MODULES.data;
  const unnamed = { ...first, name: 'Soil probe 12', category: 'SOIL_PROBE' };
  remote.stub.on('GET /v1/modules', jsonReaction({ data: [unnamed], next_cursor: null }));
  for (const module of ['Soil probe 12', 'sonde 12'])
    expect(await logSummary(undefined, { module })).toContain('on Soil probe 12,');
});
