import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, it, type TestFarm, withFarm } from '../../farm.ts';

const alertOn = async (farm: TestFarm, module: string, threshold: number): Promise<string> =>
  (await farm.tool<{ id: string }>('create_alert', { module, threshold })).id;

describe('a schedule', () => {
  const stop = (farm: TestFarm, fields: Record<string, unknown>) =>
    farm.tool<{ id: number; isActive: boolean }>('update_schedule', { isActive: false, ...fields });

  it('is found by its probe, and by its parcel', async ({ farm }) => {
    const ofProbe = await farm.createSchedule({ module: 'North 1' });
    const ofParcel = await farm.createSchedule({ parcel: 'North block', startTimes: ['20:00'] });
    expect(await stop(farm, { module: 'North 1' })).toMatchObject({
      id: ofProbe.id,
      isActive: false,
    });
    expect(await stop(farm, { parcel: 'North block' })).toMatchObject({
      id: ofParcel.id,
      isActive: false,
    });
  });

  it('of the whole parcel is not changed for one probe, but by its id', async ({ farm }) => {
    const { id: scheduleId } = await farm.createSchedule({ parcel: 'North block' });
    const change = { module: 'North 1', durationMin: 20 };
    await expect(farm.tool('update_schedule', change)).rejects.toMatchObject({
      code: 'not_found',
      message:
        `North 1 has no schedule of its own; one (#${scheduleId}) is of all of North block ` +
        '(North 1, North 2 and North 3): North block every day at 06:00, 30 min.',
      hint: `Give scheduleId ${scheduleId} to change it. For one of its own: create_schedule plans one.`,
    });
    expect(await farm.tool('update_schedule', { ...change, scheduleId })).toMatchObject({
      durationMin: 20,
    });
  });

  it('of one probe is not changed for its parcel', async ({ farm }) => {
    const ids = [];
    for (const module of ['North 1', 'North 2'])
      ids.push((await farm.createSchedule({ module })).id);
    await expect(stop(farm, { parcel: 'North block' })).rejects.toMatchObject({
      message: expect.stringMatching(
        `of its own; one \\(#${ids[0]}\\) is of North 1 alone: .*; one \\(#${ids[1]}\\) is of North 2 alone: `,
      ),
      hint: expect.stringContaining('Ask which one'),
    });
    expect(
      (await farm.tool<{ data: object[] }>('list_schedules', { isActive: true })).data,
    ).toHaveLength(2);
  });

  it('is the active one, and the stopped one if it is to be resumed', async ({ farm }) => {
    const stopped = await farm.createSchedule({ module: 'Loose', isActive: false });
    const active = await farm.createSchedule({ module: 'Loose', startTimes: ['20:00'] });
    expect(await farm.tool('update_schedule', { module: 'Loose', durationMin: 20 })).toMatchObject({
      id: active.id,
    });
    expect(await farm.tool('update_schedule', { module: 'Loose', isActive: true })).toMatchObject({
      id: stopped.id,
    });
  });

  it('is asked for with what tells several apart: AMBIGUOUS_SCHEDULE', async ({ farm }) => {
    const first = await farm.createSchedule({ module: 'North 1', label: 'Spring' });
    const second = await farm.createSchedule({
      module: 'North 1',
      startTimes: ['20:00'],
      durationMin: 45,
    });
    await expect(stop(farm, { module: 'North 1' })).rejects.toMatchObject({
      code: 'AMBIGUOUS_SCHEDULE',
      field: 'scheduleId',
      message:
        `North 1 has several schedules: "Spring", North 1 every day at 06:00, 30 min (#${first.id}); ` +
        `North 1 every day at 20:00, 45 min (#${second.id}).`,
      hint: expect.stringContaining('Ask which one'),
    });
    expect(
      (await farm.tool<{ data: object[] }>('list_schedules', { isActive: true })).data,
    ).toHaveLength(2);
  });

  it('is refused if there is none, of another target than its id, or without a target', async ({
    farm,
  }) => {
    const { id: scheduleId } = await farm.createSchedule({ module: 'North 1' });
    await expect(stop(farm, { module: 'Loose' })).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    });
    await expect(stop(farm, { module: 'Loose', scheduleId })).rejects.toMatchObject({
      field: 'scheduleId',
      status: 400,
    });
    await expect(stop(farm, {})).rejects.toMatchObject({
      field: 'scheduleId',
      hint: expect.stringContaining('module'),
    });
    await expect(stop(farm, { module: 'Loose', parcel: 'North block' })).rejects.toMatchObject({
      code: 'INVALID_TARGET',
    });
    expect(await stop(farm, { module: 'North 1', scheduleId })).toMatchObject({
      id: scheduleId,
      isActive: false,
    });
  });

  it.each(['', '  ', {}])('is not looked up for %j in place of a name', async (module) => {
    await withFarm(async (farm) => {
      await farm.createSchedule({ module: 'North 1' });
      await expect(stop(farm, { module })).rejects.toMatchObject({
        code: 'invalid_body',
        field: 'module',
        message: expect.stringContaining('is not valid'),
      });
    });
  });

  it('is not looked up for another field that is malformed, nor over REST', async ({ farm }) => {
    await farm.createSchedule({ module: 'North 1' });
    await expect(stop(farm, { module: 'North 1', durationMin: 0 })).rejects.toMatchObject({
      code: 'INVALID_DURATION',
    });
    await expect(
      farm.wire('update_schedule', { moduleId: farm.idOf('North 1'), isActive: false }),
    ).rejects.toThrow();
  });

  it('is not found by a probe of another company', async ({ farm }) => {
    await farm.createSchedule({ module: 'Blue 1' }, { company: 'Mas Bleu' });
    await expect(stop(farm, { module: `#${farm.idOf('Blue 1')}` })).rejects.toMatchObject({
      code: 'forbidden_resource',
    });
    await expect(stop(farm, { parcel: 'Blue block' })).rejects.toMatchObject({ status: 404 });
  });

  it('is not shown to a key that may not read it', async ({ farm }) => {
    await farm.createSchedule({ module: 'North 1' });
    const call = farm.tool(
      'update_schedule',
      { module: 'North 1', isActive: false },
      { caller: { scopes: ['irrigation:write'] } },
    );
    await expect(call).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('the name of a probe in place of a parcel', () => {
  it.for([
    ['list_schedules', 'North 1'],
    ['list_waterings', 'north one'],
    ['log_watering', 'North 1'],
    ['update_schedule', 'North 1'],
  ] as const)('%s %s is answered with module', async ([tool, parcel], { farm }) => {
    const rest =
      tool === 'log_watering'
        ? { startedAt: 'yesterday 6:00', inputMode: 'duration', durationMin: 30 }
        : {};
    const [module, block] = [farm.idOf('North 1'), farm.idOf('North block')];
    await expect(farm.tool(tool, { parcel, ...rest })).rejects.toMatchObject({
      message: `No parcel is called "${parcel}". "North 1" (#${module}) is a probe of the parcel "North block" (#${block}).`,
      hint: `Pass it as module "#${module}", or the parcel as parcel for all of it.`,
    });
  });

  it('is answered with its parcel alone where no probe can be passed', async ({ farm }) => {
    await expect(farm.tool('get_soil_profile', { parcel: 'North 1' })).rejects.toMatchObject({
      message: expect.stringMatching(/is a probe of the parcel "North block" \(#\d+\)\.$/),
      hint: 'Pass the parcel as parcel.',
    });
  });
});

describe('an alert', () => {
  it.for([
    ['update_alert', 'parcel', 'alert'],
    ['update_alert', 'module', 'alert'],
    ['update_schedule', 'parcel', 'schedule'],
  ] as const)(
    '%s of a %s with an unusual name quotes it once',
    async ([tool, kind, noun], { farm }) => {
      await farm.importFile({
        parcels: [{ name: 'Row 2 in (50 mm)' }],
        modules: [{ uid: 'V-9', name: 'Vine 9 (50 mm)', parcel: 'Row 2 in (50 mm)' }],
      });
      const named = kind === 'parcel' ? 'Row 2 in (50 mm)' : 'Vine 9 (50 mm)';
      await expect(farm.tool(tool, { [kind]: named, isActive: false })).rejects.toMatchObject({
        message: `"${named}" has no ${noun}.`,
      });
    },
  );

  it('is found by its probe', async ({ farm }) => {
    const id = await alertOn(farm, 'North 2', 20);
    await alertOn(farm, 'South 1', 30);
    const raised = await farm.tool('update_alert', { module: 'North 2', threshold: 22 });
    expect(raised).toMatchObject({ id, threshold: '22' });
  });

  it('of one probe is not changed for its parcel, nor one of the parcel for a probe', async ({
    farm,
  }) => {
    const ofProbe = await alertOn(farm, 'North 2', 20);
    await expect(
      farm.tool('update_alert', { parcel: 'North block', isActive: false }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(
        `^North block has no alert of its own; one \\(#${ofProbe}\\) is of North 2 alone: North 2 below 20 %`,
      ),
      hint: `Give alertId ${ofProbe} to change it. For one of its own: create_alert makes one.`,
    });
    const ofParcel = await farm.wire<{ id: string }>('create_alert', {
      parcelId: farm.idOf('North block'),
      threshold: 18,
    });
    expect(await farm.tool('update_alert', { parcel: 'North block', threshold: 19 })).toMatchObject(
      {
        id: ofParcel.id,
      },
    );
    await expect(
      farm.tool('update_alert', { module: 'North 1', threshold: 17 }),
    ).rejects.toMatchObject({
      message: expect.stringContaining(`one (#${ofParcel.id}) is of all of North block`),
    });
  });

  it('is asked for with threshold and state: AMBIGUOUS_ALERT', async ({ farm }) => {
    const ids = [await alertOn(farm, 'North 1', 20), await alertOn(farm, 'North 1', 15)];
    await expect(
      farm.tool('update_alert', { module: 'North 1', threshold: 22 }),
    ).rejects.toMatchObject({
      code: 'AMBIGUOUS_ALERT',
      message: expect.stringMatching(
        new RegExp(
          `North 1 below 20 %, .* \\(#${ids[0]}\\); North 1 below 15 %, .* \\(#${ids[1]}\\)`,
        ),
      ),
    });
  });
});

describe('a setup version', () => {
  const correct = (farm: TestFarm, fields: Record<string, unknown>) =>
    farm.tool<{ id: number; flowMmPerH: number; summary: string }>('correct_installation', {
      flowMmPerH: 4,
      ...fields,
    });

  it('is the one in force of the probe or of the parcel that was named', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 3 });
    await farm.declare('North 1', {
      system: 'sprinkler',
      flowMmPerH: 6,
      effectiveFrom: new Date(FARM_NOW - DAY).toISOString(),
    });
    const { installation: own } = await farm.setup('North 1');
    const { installation: ofParcel } = await farm.setup('North 2');
    expect(await correct(farm, { module: 'North 1' })).toMatchObject({
      id: own!.id,
      flowMmPerH: 4,
    });
    await expect(correct(farm, { module: 'North 2' })).rejects.toMatchObject({
      message: expect.stringContaining(`one (#${ofParcel!.id}) is of all of North block (North 1,`),
      hint: expect.stringContaining(`versionId ${ofParcel!.id}`),
    });
    expect(await correct(farm, { parcel: 'North block' })).toMatchObject({ id: ofParcel!.id });
    await expect(correct(farm, { module: 'North 2', versionId: own!.id })).rejects.toMatchObject({
      field: 'versionId',
    });
    await expect(correct(farm, { parcel: 'Fallow' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('the setup of a parcel shows its versions, its probes, and those with a setup of their own', async ({
  farm,
}) => {
  await farm.declareParcel('North block', {
    system: 'drip',
    emitterFlowLph: 1.6,
    emittersPerM2: 2,
  });
  await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 6 });
  const [first, second, third] = ['North 1', 'North 2', 'North 3'].map((name) => farm.idOf(name));
  const setup = await farm.tool('get_irrigation_setup', { parcel: 'North block' });
  const [version] = setup.versions as { id: number }[];
  expect(setup).toMatchObject({
    parcelId: farm.idOf('North block'),
    installation: { id: version!.id, scope: 'parcel', flowMmPerH: 3.2 },
    probes: [
      { moduleId: first, installation: { scope: 'module', flowMmPerH: 6 } },
      { moduleId: second, installation: { id: version!.id } },
      { moduleId: third, installation: { id: version!.id } },
    ],
  });
  expect(setup.summary).toBe(
    'North block is watered by drip, 1.6 L/h per emitter, 2 emitters per m2, 3.2 mm/h, wetted fraction 35 % (default), ' +
      'no irrigated area, from the start. It applies to North 2 and North 3. North 1 has equipment of its own.',
  );
});
