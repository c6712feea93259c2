import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, connectStdio, firstText, refusalOf, toolsForTest } from '../mcp-session.ts';
import { storeForFile } from '../test-surfaces.ts';

const MAS_ROUGE = {
  name: 'Mas Rouge',
  timezone: 'Europe/Paris',
  countryCode: 'FR',
  ownerEmail: 'ana@example.org',
};
const OLIVES = { name: 'Olives', type: 'olive', areaM2: 15_000 };
const OUTLINE = ['43.610, 3.870', '43.610, 3.880', '43.620, 3.880'];
const OLIVE_1 = {
  name: 'Olive 1',
  parcel: 'olives',
  sensors: ['humidity 20', 'humidity 40', 'temperature 20'],
};

describe('an empty store', () => {
  it('works without a farm where none is needed, otherwise says what to do first, and stays empty', async () => {
    const { call, client } = await connectStdio(await storeForFile());
    expect(client.getInstructions()).toContain('No farm yet: set_company');
    for (const name of ['get_enums', 'list_soil_horizons'])
      expect(bodyOf(await call(name)).summary).not.toBe('');
    for (const { name, worksWithoutCompany } of tools) {
      if (worksWithoutCompany) continue;
      const { code, message, hint } = refusalOf(await call(name));
      expect([name, code, message]).toEqual([
        name,
        'not_found',
        'There is no farm in this store yet.',
      ]);
      expect(hint).toMatch(
        /^Set it up in this conversation: call set_company first, then set_parcel and set_module[.]/,
      );
    }
    for (const field of ['name', 'timezone', 'ownerEmail']) {
      const { [field]: _, ...incomplete } = MAS_ROUGE as Record<string, string>;
      expect(refusalOf(await call('set_company', incomplete))).toMatchObject({
        code: 'invalid_body',
        field,
      });
    }
    const withoutPlace = { ...MAS_ROUGE, timezone: 'UTC' };
    expect(refusalOf(await call('set_company', withoutPlace))).toMatchObject({
      code: 'INVALID_TIMEZONE',
    });
    expect(refusalOf(await call('get_company'))).toMatchObject({ code: 'not_found' });
  });

  it('is set up by talking, up to a logged watering with its dose and a chart', async () => {
    const call = await toolsForTest(await storeForFile());
    const created = await call('set_company', { ...MAS_ROUGE, idempotencyKey: 'first' });
    expect(firstText(created)).toBe(
      'Added: Mas Rouge; the time zone is Europe/Paris. Country: FR. Members: ana (owner). Next, add its parcels and probes.',
    );
    expect(bodyOf(created)).toMatchObject({
      company: {
        id: 1,
        name: 'Mas Rouge',
        timezone: 'Europe/Paris',
        countryCode: 'FR',
        city: null,
      },
      owner: { userId: '1', name: 'ana', email: 'ana@example.org', role: 'OWNER' },
      before: null,
    });
    const parcel = await call('set_parcel', { ...OLIVES, outline: OUTLINE });
    expect(firstText(parcel)).toMatch(
      /^Added: Olives, olive, 1\.5 ha \(15000 m2\), with an outline\. No root depth is set for this parcel/,
    );
    const module = await call('set_module', OLIVE_1);
    expect(firstText(module)).toBe(
      'Added: Olive 1 is a soil probe in Olives, sensors at 20 and 40 cm.',
    );
    bodyOf(
      await call('set_soil_profile', {
        parcel: 'Olives',
        layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
      }),
    );
    bodyOf(
      await call('set_parcel_installation', { parcel: 'Olives', system: 'drip', flowMmPerH: 3 }),
    );
    const logged = await call('log_watering', {
      module: 'Olive 1',
      startedAt: 'today 6:00',
      inputMode: 'duration',
      durationMin: 40,
      idempotencyKey: 'watering',
    });
    // 3 mm/h for 40 min.
    expect(bodyOf(logged).event).toMatchObject({
      moduleId: 1,
      startedAt: '2026-07-01T04:00:00.000Z',
      waterMm: 2,
    });
    bodyOf(await call('create_alert', { module: 'Olive 1', threshold: 18 }));
    const csv =
      'time;humidity_20;humidity_40\n2026-07-01 07:00;24,0;28,0\n2026-07-01 11:00;22,0;26,0\n';
    expect(
      bodyOf(await call('import_readings', { csv, module: 'Olive 1' })).readings,
    ).toMatchObject({ written: 4 });
    const { content, isError } = await call('chart_moisture', { module: 'Olive 1' });
    expect([isError, content[1]?.type]).toEqual([undefined, 'image']);
    expect(bodyOf(await call('get_agronomic_state', { module: 'Olive 1' }))).toMatchObject({
      state: 'comfort',
    });
  });

  it('gets one company when two assistants begin at the same time or repeat the call, and no second one', async () => {
    const db = await storeForFile();
    const sessions = await Promise.all([toolsForTest(db), toolsForTest(db)]);
    const asked = { ...MAS_ROUGE, idempotencyKey: 'same' };
    const answers = await Promise.all(
      [...sessions, ...sessions].map((call) => call('set_company', asked)),
    );
    expect(answers.map((answer) => bodyOf(answer).company.id)).toEqual([1, 1, 1, 1]);
    expect(answers.filter(({ _meta }) => _meta?.['acequia/replayed'] === true)).toHaveLength(3);
    const [first, other] = sessions;
    expect(bodyOf(await first('list_users')).data).toHaveLength(1);

    const second = await other('set_company', { ...MAS_ROUGE, name: 'Mas Noir' });
    expect(refusalOf(second).hint).toMatch(
      /newName.*--db.*"acequia import FILE --new-company".*"acequia keys create --preset assistant --company NAME"/,
    );
  });

  it('without an OWNER names the way to add one, where one is needed', async () => {
    const db = await storeForFile();
    const farm = join(await newFolder(), 'farm.json');
    const company = { name: 'Mas Rouge', timezone: 'Europe/Paris' };
    await writeFile(farm, JSON.stringify({ company, modules: [{ uid: 'o1', name: 'Olive 1' }] }));
    const acequia = (...words: string[]) => runInProcess([...words, '--db', db]);
    expect((await acequia('import', farm)).code).toBe(0);
    expect((await acequia('keys', 'create')).stderr).toContain(
      'The company "Mas Rouge" has no OWNER.\nAdd one with "acequia call set_company ownerEmail=',
    );
    const createAlert = () => acequia('call', 'create_alert', 'module=Olive 1', 'threshold=18');
    const { code, stderr } = await createAlert();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('An alert needs a recipient. The company has no OWNER.'),
    ]);
    expect(stderr).toContain('ownerEmail of set_company');
    const added = await acequia('call', 'set_company', 'ownerEmail=ana@example.org');
    expect(added.stdout).toMatch(/^Changed: .*Members: ana \(owner\)/);
    expect(await createAlert()).toMatchObject({ code: 0 });
  });

  it('is set up in the terminal as well', async () => {
    const db = `${await storeForFile()}.new`;
    const words = Object.entries(MAS_ROUGE).map(([name, value]) => `${name}=${value}`);
    const { code, stdout } = await runInProcess(['call', 'set_company', ...words, '--db', db]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Added: Mas Rouge; the time zone is Europe\/Paris[.]/),
    ]);
  });
});

it('a serial that is not hexadecimal is refused, and the probe is set up without it', async () => {
  const call = await toolsForTest(await newBaseFarm());
  const probe = { name: 'Olive 1', sensors: ['humidity 20'] };
  const refused = refusalOf(await call('set_module', { ...probe, serialHex: 'SN-1234' }));
  expect(refused).toMatchObject({
    field: 'serialHex',
    hint: expect.stringContaining('Leave out a serial that has others'),
  });
  expect(bodyOf(await call('set_module', probe)).module.name).toBe('Olive 1');
});

describe('a name as people say it', () => {
  it('changes the probe or the parcel that it is of, and adds none', async () => {
    const call = await toolsForTest(await newBaseFarm());
    const names = async (list: string) =>
      bodyOf(await call(list)).data.map(({ name }: { name: string }) => name);
    const [probes, parcels] = [await names('list_modules'), await names('list_parcels')];

    const probe = await call('set_module', { name: 'south one', commissionedAt: '2026-06-20' });
    expect(bodyOf(probe)).toMatchObject({
      module: { name: 'South 1' },
      after: { commissionedAt: '2026-06-19T22:00:00.000Z' },
    });
    expect(firstText(probe)).toContain('South 1');
    const sud = { name: 'sud un', sensors: ['humidity 20'] };
    expect(bodyOf(await call('set_module', sud)).module.name).toBe('South 1');
    const parcel = await call('set_parcel', { name: 'the northern block', areaM2: 9_000 });
    expect(bodyOf(parcel).parcel.name).toBe('North block');
    const renamed = await call('set_module', { name: 'south one', newName: 'West 1' });
    expect(bodyOf(renamed).module.name).toBe('West 1');

    expect(await names('list_modules')).toEqual(
      probes.map((name: string) => (name === 'South 1' ? 'West 1' : name)),
    );
    expect(await names('list_parcels')).toEqual(parcels);
  });

  it('of no probe is refused without the sensors of a new one, naming those that exist', async () => {
    const call = await toolsForTest(await newBaseFarm());
    const refused = await call('set_module', { name: 'south two', commissionedAt: 'today' });
    expect(refusalOf(refused)).toMatchObject({
      code: 'not_found',
      field: 'name',
      message: expect.stringMatching(
        /^No probe is called "south two"\. Nearest: "South 1" \(#\d+\).*\. A new probe needs the depths of its sensors\.$/,
      ),
      hint: 'Ask for them, or pass the name or id of one that exists, from list_modules, as name.',
    });
    const station = { name: 'Mast', category: 'WEATHER_STATION' };
    expect(bodyOf(await call('set_module', station)).module.name).toBe('Mast');
    const added = await call('set_module', { name: 'South 2', sensors: ['humidity 20'] });
    expect(bodyOf(added).before).toBeNull();
  });
});

describe('a day as people say it', () => {
  it('is the latest one for a harvest, and is said with its year', async () => {
    const call = await toolsForTest(await newBaseFarm());
    for (const [harvestedOn, day] of [
      ['10 August', '2025-08-10'],
      ['le 20 juin', '2026-06-20'],
      ['Monday', '2026-06-29'],
    ]) {
      const answer = await call('set_parcel', { name: 'Fallow', type: 'wheat', harvestedOn });
      expect(bodyOf(answer).parcel.season.harvestedOn).toBe(day);
      if (harvestedOn === '10 August') expect(firstText(answer)).toContain('10 Aug 2025');
    }
  });

  it('without its hour begins the service, and a part of it is refused in words', async () => {
    const call = await toolsForTest(await newBaseFarm());
    const commission = (commissionedAt: string) =>
      call('set_module', { name: 'South 1', commissionedAt });
    expect(bodyOf(await commission('today')).after.commissionedAt).toBe('2026-06-30T22:00:00.000Z');
    expect(firstText(await commission('this morning'))).toContain(
      'The start of service "this morning" cannot be read: no hour given: say the hour, or the day alone.',
    );
  });
});
