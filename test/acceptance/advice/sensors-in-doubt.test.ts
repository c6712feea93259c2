import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../../src/domain/lang.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { connectStdio, firstText } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';

const NOW = Date.parse(CLOCK);
const STUCK_SINCE = NOW - 4 * DAY;

/** Dries by half a point a day; the upper sensor now reads 62 %, and the lower one has been stuck for four days. */
async function doubtedLoam(): Promise<string> {
  const db = await newBaseFarm();
  const rows = Array.from({ length: 20 * 24 }, (_, hour) => {
    const at = NOW - hour * HOUR;
    const drying = (22 + hour / 48).toFixed(1);
    return `${iso(at)},${hour === 0 ? 62 : drying},${at >= STUCK_SINCE ? 25.7 : drying}`;
  });
  await importReadingsCsv(db, `time,humidity_10,humidity_30\n${rows.join('\n')}\n`, { module: 'North 1' });
  return db;
}

// Loam holds 46 % (Saxton and Rawls 2006, Table 3).
const SENTENCES: Record<Lang, readonly string[]> = {
  en: [
    'The probe reads 62 % at 10 cm, where its soil holds at most 46 %: check the sensor, its cable and the soil profile before you rely on it.',
    'The probe has read exactly 25.7 % at 30 cm for 4 days: check the sensor and its cable, and look at the soil before you rely on it.',
  ],
  fr: [
    'La sonde indique 62 % à 10 cm, où le sol retient au plus 46 % : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.',
    'La sonde indique exactement 25,7 % à 30 cm depuis 4 jours : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.',
  ],
  es: [
    'La sonda marca 62 % a 10 cm, donde el suelo retiene como mucho un 46 %: revise el sensor, su cable y el perfil del suelo antes de fiarse.',
    'La sonda marca exactamente 25,7 % a 30 cm desde hace 4 días: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.',
  ],
};

const IN_BRIEF: Record<Lang, string> = {
  en: 'Check first: North 1 (62 % at 10 cm, where its soil holds at most 46 %; exactly 25.7 % at 30 cm for 4 days).',
  fr: 'À vérifier d’abord : North 1 (62 % à 10 cm, où le sol retient au plus 46 % ; exactement 25,7 % à 30 cm depuis 4 jours).',
  es: 'Para revisar antes: North 1 (62 % a 10 cm, donde el suelo retiene como mucho un 46 %; exactamente 25,7 % a 30 cm desde hace 4 días).',
};

describe('sensors in doubt', () => {
  it.each(LANGS)('are named by the state, the advice, the brief and alerts, in %s', async (lang) => {
    const { call } = await connectStdio(await doubtedLoam(), { lang });
    const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
    await call('set_soil_profile', { parcel: 'North block', layers });
    const doubts = [
      { reason: 'TOO_WET_FOR_SOIL', depth: 10, value_vwc: 62, limit_vwc: expect.closeTo(46, 0), since: null },
      { reason: 'SENSOR_STUCK', depth: 30, value_vwc: 25.7, limit_vwc: null, since: iso(STUCK_SINCE) },
    ];
    const state = await call('get_agronomic_state', { module: 'North 1' });
    expect(state.structuredContent).toMatchObject({ doubts });
    const advice = await call('advise_watering', { module: 'North 1' });
    expect(advice.structuredContent).toMatchObject({
      reasons: expect.arrayContaining(['TOO_WET_FOR_SOIL', 'SENSOR_STUCK']),
      doubts,
    });
    expect(advice.structuredContent!.confidence).not.toBe('complete');
    const alert = await call('create_alert', { module: 'North 1', threshold: 20 });
    for (const sentence of SENTENCES[lang])
      for (const answer of [state, advice, alert]) expect(firstText(answer)).toContain(sentence);
    const brief = await call('morning_brief');
    const checks = (brief.structuredContent!.checkFirst as { name: string }[]).filter(({ name }) => name === 'North 1');
    expect(checks).toMatchObject([{ reason: 'TOO_WET_FOR_SOIL', doubts }]);
    expect(firstText(brief)).toContain(IN_BRIEF[lang]);
  });
});
