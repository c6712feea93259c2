import type { ModuleBody } from '../../src/schema/company/company.ts';
import type {
  InstallationVersionBody,
  IrrigationConfigurationBody,
} from '../../src/schema/irrigation/installation.ts';
import type { WateringAnswer, WateringBody } from '../../src/schema/irrigation/watering.ts';
import { atLocalTime, dateAgo, localTime, weekdayAgo } from '../farm/calendar.ts';
import { NEW_DRIP, SOUTH_SPRINKLERS } from '../farm/demo-farm.ts';
import {
  daysSinceMorning,
  EQUIPMENT_CHANGED_DAYS_AGO,
  unreportedWaterings,
} from '../farm/waterings.ts';
import { flowByHand } from '../hand-calculations/doses-and-needs.ts';
import { DemoConversation, expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import type { DemoClient } from '../servers/mcp-client.ts';
import { type DemoPlan, playSchedulePlan } from './schedule-plan.ts';

interface Waterings {
  readonly data: readonly WateringBody[];
}

/** Throws DemoError if an answer differs from the calculation. Returns the remaining schedule. */
export async function playFirstConversation(client: DemoClient, now: number): Promise<DemoPlan> {
  const conversation = new DemoConversation(client);
  await lookAround(conversation);
  const logged = await logOnce(conversation, now);
  await correctDuration(conversation, logged, now);
  await changeEquipment(conversation, now);
  await waterBeforeAndAfterTheChange(conversation, now);
  await waterBeforeAnyEquipment(conversation, now);
  await nameProbeAmbiguously(conversation, now);
  await lookBack(conversation, now);
  return playSchedulePlan(conversation, now);
}

async function lookAround(conversation: DemoConversation): Promise<void> {
  transcript.person('Which probes do we have?');
  const modules = await conversation.ask<{ data: ModuleBody[] }>('list_modules', {});
  conversation.learnNames(modules.data);

  transcript.person('What waters North 1?');
  const { installation } = await conversation.ask<IrrigationConfigurationBody>(
    'get_irrigation_setup',
    {
      module: 'North 1',
    },
  );
  expectThat(installation?.scope === 'parcel', 'North 1 has the setup of its parcel');
  transcript.figures([
    `version ${installation!.id}, declared for the whole parcel, in force from the beginning`,
  ]);
  conversation.showByHand(flowByHand(installation!));
}

const morningWord = (now: number): 'today' | 'yesterday' =>
  daysSinceMorning(now) === 0 ? 'today' : 'yesterday';

async function logOnce(conversation: DemoConversation, now: number): Promise<WateringBody> {
  const day = morningWord(now);
  transcript.person(
    `I watered North 1 for 45 minutes ${day === 'today' ? 'this' : 'yesterday'} morning at six.`,
  );
  const entry = {
    module: 'North 1',
    startedAt: `${day} 6:00`,
    inputMode: 'duration',
    durationMin: 45,
    idempotencyKey: `north-1-${dateAgo(now, daysSinceMorning(now))}-0600`,
  };
  const logged = await conversation.askDose('log_watering', entry);
  expectThat(
    Date.parse(logged.event.startedAt) === atLocalTime(now, daysSinceMorning(now), 6),
    'it began at six, local time',
  );
  expectThat(
    logged.warnings.includes('DEFAULT_FRACTION_WETTED'),
    'the answer says which assumption the dose depends on',
  );

  transcript.event(
    'Suppose the connection had dropped before that answer arrived: the assistant sends the same call again.',
  );
  const repeated = await conversation.ask<WateringAnswer>('log_watering', {
    ...entry,
    detail: 'full',
  });
  expectThat(
    repeated.isReplay && repeated.event.id === logged.event.id,
    'the repeated call has the same answer',
  );
  transcript.figures([`watering ${repeated.event.id} once more, marked "acequia/replayed": true`]);
  const { data } = await conversation.ask<Waterings>('list_waterings', {
    module: 'North 1',
    from: day,
  });
  expectThat(data.length === 1, 'the repeated call wrote nothing');
  transcript.checked(
    `one watering on North 1 ${day === 'today' ? 'today' : 'since yesterday'}, not two.`,
  );
  return logged.event;
}

async function correctDuration(
  conversation: DemoConversation,
  logged: WateringBody,
  now: number,
): Promise<void> {
  transcript.person('Sorry, it ran for 50 minutes, not 45.');
  const { event } = await conversation.askDose('correct_watering', {
    eventId: logged.id,
    startedAt: `${morningWord(now)} 6:00`,
    inputMode: 'duration',
    durationMin: 50,
  });
  expectThat(event.durationMin === 50, 'the watering lasts 50 minutes now');
}

const formatVersion = ({ id, scope, flowMmPerH, validFrom }: InstallationVersionBody): string =>
  `version ${id} (${scope}): ${flowMmPerH} mm/h, from ${Date.parse(validFrom) === 0 ? 'the beginning' : localTime(Date.parse(validFrom))}`;

async function changeEquipment(conversation: DemoConversation, now: number): Promise<void> {
  transcript.person(
    `On ${weekdayAgo(now, EQUIPMENT_CHANGED_DAYS_AGO)} at noon we changed the drippers around North 2: 2 litres an hour now, five of them on two square metres.`,
  );
  const changed = await conversation.ask<IrrigationConfigurationBody>('set_module_installation', {
    module: 'North 2',
    system: NEW_DRIP.system,
    emitterFlowLph: NEW_DRIP.emitterFlowLph,
    emittersPerM2: NEW_DRIP.emittersPerM2,
    effectiveFrom: `${dateAgo(now, EQUIPMENT_CHANGED_DAYS_AGO)} 12:00`,
  });
  transcript.figures(changed.versions.map(formatVersion));
  conversation.showByHand(flowByHand(changed.installation!), ['5 emitters / 2 m2 = 2.5 per m2']);
}

async function waterBeforeAndAfterTheChange(
  conversation: DemoConversation,
  now: number,
): Promise<void> {
  transcript.person(
    `North 2 got an hour on ${weekdayAgo(now, 4)} at six, and an hour on ${weekdayAgo(now, 2)} at six.`,
  );
  const hour = { module: 'North 2', inputMode: 'duration', durationMin: 60 };
  const before = await conversation.askDose('log_watering', {
    ...hour,
    startedAt: `${dateAgo(now, 4)} 6:00`,
  });
  const after = await conversation.askDose('log_watering', {
    ...hour,
    startedAt: `${dateAgo(now, 2)} 6:00`,
  });
  expectThat(
    before.event.configSnapshot?.scope === 'parcel',
    'the watering before the change has the old flow',
  );
  expectThat(
    after.event.configSnapshot?.scope === 'module',
    'the watering after the change has the new flow',
  );
  transcript.checked(
    'the same hour, before and after the change: each has the flow of its own day.',
  );
}

async function waterBeforeAnyEquipment(conversation: DemoConversation, now: number): Promise<void> {
  transcript.person('Et hier à 20 h, deux heures sur South 1.');
  const { event, warnings } = await conversation.ask<WateringAnswer>('log_watering', {
    module: 'South 1',
    startedAt: 'hier à 20h',
    inputMode: 'duration',
    durationMin: 120,
  });
  expectThat(
    Date.parse(event.startedAt) === atLocalTime(now, 1, 20),
    'it began yesterday at 20:00, local time',
  );
  expectThat(
    event.waterMm == null && warnings.includes('NO_INSTALLATION'),
    'the answer says why there is no dose',
  );
  transcript.figures([`watering ${event.id}: waterMm null, warnings ${JSON.stringify(warnings)}`]);
  transcript.says(
    'It is recorded. What equipment waters South 1? Then I can tell you the millimetres.',
  );

  transcript.person(
    'Micro-sprinklers, one of 30 litres an hour for each tree. The trees stand 2.5 by 4 metres.',
  );
  const declared = await conversation.ask<IrrigationConfigurationBody>('set_module_installation', {
    module: 'South 1',
    system: SOUTH_SPRINKLERS.system,
    emitterFlowLph: SOUTH_SPRINKLERS.emitterFlowLph,
    emittersPerM2: SOUTH_SPRINKLERS.emittersPerM2,
  });
  expectThat(declared.missingDoses.count === 0, 'no dose is missing on South 1 any more');
  conversation.showByHand(flowByHand(declared.installation!), [
    '1 emitter / (2.5 m x 4 m) = 0.1 per m2',
  ]);
  const { data } = await conversation.ask<Waterings>('list_waterings', {
    module: 'South 1',
    detail: 'full',
    limit: 200,
  });
  expectThat(data[0]?.id === event.id, 'the watering just reported is the newest of South 1');
  conversation.showTable(data, 3);
}

async function nameProbeAmbiguously(conversation: DemoConversation, now: number): Promise<void> {
  transcript.person('North got 20 minutes too, yesterday at seven in the evening.');
  const evening = { startedAt: 'yesterday 19:00', inputMode: 'duration' };
  const code = await conversation.askExpectingRefusal('log_watering', {
    module: 'north',
    ...evening,
    durationMin: 20,
  });
  expectThat(code === 'AMBIGUOUS_NAME', 'a name that matches two probes is refused as ambiguous');
  transcript.says('Which one do you mean, North 1 or North 2?');

  transcript.person('North 2.');
  const { event } = await conversation.askDose('log_watering', {
    module: 'North 2',
    ...evening,
    durationMin: 20,
  });
  expectThat(
    Date.parse(event.startedAt) === atLocalTime(now, 1, 19),
    'it began yesterday at 19:00, local time',
  );

  transcript.person('Wait, the pump was off. That one never happened.');
  const skipped = await conversation.ask<WateringAnswer>('correct_watering', {
    eventId: event.id,
    ...evening,
    status: 'skipped',
  });
  expectThat(skipped.event.status === 'skipped', 'the watering is cancelled');
  transcript.figures([
    `watering ${skipped.event.id}: status skipped; it stays on record, and no chart shows it`,
  ]);
}

async function lookBack(conversation: DemoConversation, now: number): Promise<void> {
  transcript.person(`So what is recorded since ${weekdayAgo(now, 4)}?`);
  const { data } = await conversation.ask<Waterings>('list_waterings', {
    from: dateAgo(now, 4),
    detail: 'full',
  });
  conversation.showTable(data);
  const isRecorded = ({
    startedAt,
    durationMin,
  }: {
    startedAt: number;
    durationMin: number;
  }): boolean =>
    data.some(
      (event) => Date.parse(event.startedAt) === startedAt && event.durationMin === durationMin,
    );
  expectThat(
    unreportedWaterings(now).every(isRecorded),
    'the records say what happened on the farm',
  );
}
