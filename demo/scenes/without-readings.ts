import { DAY_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import { dateAgo } from '../farm/calendar.ts';
import { expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import type { FarmCopy } from '../servers/farm-copy.ts';
import { WATCHED_MODULE } from './threshold.ts';

/** Drip of 2 L/h on 0.8 emitters per m2, that is 1.6 mm/h. */
const EAST_DRIP = { system: 'drip', emitterFlowLph: 2, emittersPerM2: 0.8, irrigatedAreaM2: 6000 };
const EAST_FLOW_MM_PER_H = EAST_DRIP.emitterFlowLph * EAST_DRIP.emittersPerM2;

const EAST_FIELD = {
  name: 'East field',
  type: 'cherry',
  areaM2: EAST_DRIP.irrigatedAreaM2,
  soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }],
  season: { stage: 'mid', rootDepthCm: 60 },
  installation: EAST_DRIP,
};

const SILENT_DAYS = 2;

/** A parcel without a probe is asked for, and a probe that has fallen silent. */
export async function askWithoutReadings(
  copy: FarmCopy,
  company: object,
  at: number,
): Promise<void> {
  transcript.event('The farm also has cherries in the East field, where there is no probe.');
  await copy.writeFile('east-field.json', JSON.stringify({ company, parcels: [EAST_FIELD] }));
  await copy.run(['import', 'east-field.json'], at);
  await copy.converse(at, async (conversation) => {
    transcript.person('And the cherries in the East field? I soaked them a week ago.');
    const advice = await conversation.ask<AdviceBody>('advise_watering', {
      parcel: EAST_FIELD.name,
      filledOn: dateAgo(at, 7),
    });
    expectThat(advice.basis === 'balance', 'the advice is from a balance');
    showDose(advice);
  });

  transcript.event(`${SILENT_DAYS} days pass, in which no reading arrives.`);
  await copy.converse(at + SILENT_DAYS * DAY_MS, async (conversation) => {
    transcript.person(`Does ${WATCHED_MODULE} need water today?`);
    const advice = await conversation.ask<AdviceBody>('advise_watering', {
      module: WATCHED_MODULE,
    });
    expectThat(advice.waterMm === null, 'without fresh readings no amount is advised');
  });
}

function showDose({ deficitMm, fractionWetted, waterMm, durationMin, volumeM3 }: AdviceBody): void {
  if (deficitMm === null || waterMm === null || durationMin === null || volumeM3 === null) return;
  const mm = deficitMm * Number(fractionWetted);
  const minutes = (mm / EAST_FLOW_MM_PER_H) * 60;
  const m3 = (mm * EAST_DRIP.irrigatedAreaM2) / 1000;
  transcript.byHand([
    `${deficitMm.toFixed(2)} mm x ${fractionWetted} = ${mm.toFixed(2)} mm over the whole area`,
    `${mm.toFixed(2)} mm / ${EAST_FLOW_MM_PER_H} mm/h x 60 = ${minutes.toFixed(0)} min`,
    `${mm.toFixed(2)} mm x ${EAST_DRIP.irrigatedAreaM2} m2 / 1000 = ${m3.toFixed(0)} m3`,
  ]);
  expectThat(
    Math.abs(mm - waterMm) < 0.01 &&
      Math.abs(minutes - durationMin) < 1 &&
      Math.abs(m3 - volumeM3) < 0.1,
    'the dose by hand agrees with the advice',
  );
}
