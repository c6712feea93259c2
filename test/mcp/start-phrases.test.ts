import { describe, expect, it } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { bodyOf, firstText, refusalOf } from '../tool-results.ts';
import { sharedTools } from './local-tools.ts';

const PIVOT = { module: 'South 1', system: 'pivot' };
const MAY_2024 = '2024-04-30T22:00:00.000Z';
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** The clock says 1 July 2026; the farm is in Europe/Paris. */
describe.each<[Lang, string, string]>([
  ['en', 'since May 2024', 'always'],
  ['fr', 'depuis mai 2024', 'depuis toujours'],
  ['es', 'desde mayo de 2024', 'desde siempre'],
])('a start in words, in %s', (lang, since, always) => {
  const call = sharedTools({ lang });
  const readBack = '1 May 2024 00:00';

  it('is understood and read back by the setups', async () => {
    const first = await call('set_module_installation', { ...PIVOT, effectiveFrom: always });
    expect(bodyOf(first).installation.validFrom).toBe(BEGINNING);
    const later = await call('set_module_installation', { ...PIVOT, effectiveFrom: since });
    expect(bodyOf(later).installation).toMatchObject({ validFrom: MAY_2024 });
    expect(firstText(later)).toContain(readBack);
    const { id } = bodyOf(later).installation;
    await call('correct_installation', { versionId: id, effectiveFrom: '2024-06-01' });
    const corrected = await call('correct_installation', { versionId: id, effectiveFrom: since });
    expect(bodyOf(corrected).validFrom).toBe(MAY_2024);
    expect(firstText(corrected)).toContain(readBack);
    const generalized = await call('generalize_installation', {
      module: 'South 1',
      effectiveFrom: since,
    });
    expect(firstText(generalized)).toContain(readBack);
    const parcel = { parcel: 'North block', system: 'drip', effectiveFrom: since };
    bodyOf(await call('set_parcel_installation', parcel));
    const { installation } = bodyOf(await call('get_irrigation_setup', { module: 'North 2' }));
    expect(installation.validFrom).toBe(MAY_2024);
  });

  it('is understood and read back by settings and service', async () => {
    const settings = await call('set_probe_settings', {
      module: 'South 1',
      rootDepthCm: 60,
      effectiveFrom: since,
    });
    expect(bodyOf(settings).settings.validFrom).toBe(MAY_2024);
    expect(firstText(settings)).toContain(readBack);
    const module = await call('set_module', { name: 'South 1', commissionedAt: since });
    expect(bodyOf(module).after.commissionedAt).toBe(MAY_2024);
    expect(firstText(module)).toContain(readBack);
    const always1970 = await call('set_module', { name: 'South 1', commissionedAt: always });
    expect(bodyOf(always1970).after.commissionedAt).toBe(BEGINNING);
    expect(firstText(always1970)).not.toMatch(/1970/);
  });
});

describe('a start that names no day', () => {
  const call = sharedTools();

  it('is refused with what to give, and nothing is written', async () => {
    for (const effectiveFrom of [
      'last spring',
      'mid-May',
      '5/11/2025',
      'a while ago',
      'May or June',
    ]) {
      const refusal = refusalOf(await call('set_module_installation', { ...PIVOT, effectiveFrom }));
      expect(refusal).toMatchObject({ code: 'INVALID_EFFECTIVE_FROM', field: 'effectiveFrom' });
      expect(refusal.hint).toContain('"May 2024"');
    }
    expect(bodyOf(await call('get_irrigation_setup', { module: 'South 1' })).versions).toEqual([]);
  });
});
