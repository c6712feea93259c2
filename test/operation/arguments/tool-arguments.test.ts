import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkedArguments } from '../../../src/operation/arguments/operation-arguments.ts';
import { argumentsObject } from '../../../src/operation/arguments/sent-arguments.ts';
import { readToolArguments } from '../../../src/operation/arguments/tool-arguments.ts';
import { decodeValue } from '../../../src/operation/arguments/tool-readers.ts';
import type { CheckContext } from '../../../src/operation/call.ts';
import { LocalRunner } from '../../../src/operation/local/local-runner.ts';
import type { ArgumentContext } from '../../../src/operation/operation.ts';
import { AcequiaError } from '../../../src/schema/error.ts';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { moduleRef, parcelRef } from '../../../src/schema/shared-fields.ts';
import { operationsByName } from '../../../tools/index.ts';
import { FARM_NOW, HOUR, iso, withFarm } from '../../farm.ts';
import { renderText } from '../../language/render-text.ts';

const minutes = { startedAt: iso(FARM_NOW - HOUR), inputMode: 'duration', durationMin: 45 };

const emptyDirectory = { modules: async () => [], parcels: async () => [] };
const context = {
  zone: 'Europe/Paris',
  countryCode: null,
  units: 'metric',
  now: FARM_NOW,
  lang: 'en',
  directory: emptyDirectory,
  runRead: () => Promise.reject(new Error('read')),
} as const;
const readTool = (tool: string, args: unknown, at: ArgumentContext = context) =>
  readToolArguments(operationsByName.get(tool)!, args, at);

describe('arguments as a client sends them', () => {
  it.each([
    ['an object', { a: 1 }],
    ['JSON text', '{"a":1}'],
  ])('are read from %s', (_, sent) => {
    expect(argumentsObject(sent)).toEqual({ a: 1 });
  });

  it.each([undefined, null, '', '""', 'null'])('are empty for %s', (sent) => {
    expect(argumentsObject(sent)).toEqual({});
  });

  it.each(['half a sentence', '[1]', 5, [1], true])('are refused as %s: invalid_body', (sent) => {
    expect(() => argumentsObject(sent)).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });

  it('are repaired from JSON text: numbers, booleans and lists', async () => {
    const { input } = await readTool('correct_watering', {
      eventId: '7',
      ...minutes,
      durationMin: ' 45 ',
      refreeze: 'true',
      clear: '["note"]',
    });
    expect(input).toMatchObject({ eventId: 7, durationMin: 45, refreeze: true, note: null });
  });

  it('accept a number as a name', async () => {
    expect((await readTool('get_module', { module: 12 })).input).toEqual({
      moduleId: 12,
      lang: 'en',
    });
  });

  it.each([
    ['log_watering', { durationMin: '1h20' }, { durationMin: 80 }],
    ['log_watering', { durationMin: "trois quarts d'heure" }, { durationMin: 45 }],
    [
      'log_watering',
      { durationMin: 90, inputMode: 'depth_mm', inputDepthMm: '1,2 cm' },
      { inputDepthMm: 12 },
    ],
    ['log_watering', { inputMode: 'volume_m3', inputVolumeM3: '3 000 L' }, { inputVolumeM3: 3 }],
    ['update_schedule', { scheduleId: 1, durationMin: 'half an hour' }, { durationMin: 30 }],
  ])('of %s accept an amount with its unit: %j', async (tool, args, read) => {
    const rest =
      tool === 'log_watering'
        ? { module: '1', startedAt: minutes.startedAt, inputMode: 'duration' }
        : {};
    expect((await readTool(tool, { ...rest, ...args })).input).toMatchObject(read);
  });

  it.each([
    [
      'durationMin',
      '12 mm',
      'INVALID_DURATION',
      /depth of water in mm, and a time in minutes or hours is needed/,
    ],
    ['durationMin', 'about an hour', 'INVALID_DURATION', /ask whether exactly 60 minutes is meant/],
    ['inputDepthMm', '45 min', 'INVALID_DEPTH', /a time in minutes or hours, and a depth/],
    ['inputVolumeM3', '3,000 litres', 'INVALID_VOLUME', /could be 3000 or 3: ask which/],
  ])('explain why %s refuses the amount %s', async (field, text, code, why) => {
    const sent = { module: '1', ...minutes, [field]: text };
    await expect(readTool('log_watering', sent)).rejects.toMatchObject({
      code,
      field,
      message: expect.stringMatching(why),
    });
  });

  it.each(['4,5', 'a while', 'NaN', 'Infinity', '0x2d', '[45]', true])(
    'do not read %s as a number',
    async (durationMin) => {
      await expect(
        readTool('log_watering', { module: '1', ...minutes, durationMin }),
      ).rejects.toMatchObject({
        code: 'INVALID_DURATION',
      });
    },
  );

  it.each(['', '-'])('refuse numbers that overflow: %s1e400', async (sign) => {
    await expect(
      readTool('create_alert', { module: '1', threshold: 20, hysteresis: `${sign}1e400` }),
    ).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'hysteresis',
      hint: expect.any(String),
      message: expect.stringContaining(`hysteresis ${sign}Infinity is not valid`),
    });
  });

  it('are ids if they are numbers for a module or a parcel', () => {
    expect(decodeValue(3, moduleRef())).toBe('#3');
    expect(decodeValue(0, parcelRef().optional())).toBe('#0');
    expect(decodeValue('3', moduleRef())).toBe('3');
    expect(decodeValue(3.5, moduleRef())).toBe('3.5');
  });

  it('count as absent if they are null', async () => {
    const { input } = await readTool('log_watering', {
      module: '1',
      ...minutes,
      note: null,
      endedAt: null,
    });
    expect(input).not.toHaveProperty('note');
  });
});

describe('times of day', () => {
  const rule = {
    freq: 'daily',
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    inputMode: 'duration',
    durationMin: 30,
  };
  const RESTS: Record<string, object> = {
    create_alert: { module: '1', threshold: 20 },
    update_alert: { alertId: randomUUID() },
    backtest_alert: { module: '1' },
    create_schedule: { module: '1', ...rule },
  };
  const onWire = async (tool: string, name: string, args: unknown) =>
    (await readTool(tool, { ...RESTS[tool], [name]: args })).restArguments[name];

  it.each(['create_alert', 'update_alert', 'backtest_alert'])(
    'of %s are passed on with seconds, sent or not',
    async (tool) => {
      expect(await onWire(tool, 'reminderTime', '07:30')).toBe('07:30:00');
      expect(await onWire(tool, 'reminderTime', ' 07:30:15 ')).toBe('07:30:15');
    },
  );

  it('of a schedule are passed on without seconds, even if :00 was written', async () => {
    expect(await onWire('create_schedule', 'startTimes', ['05:30:00', '20:00'])).toEqual([
      '05:30',
      '20:00',
    ]);
    expect(await onWire('create_schedule', 'startTimes', '05:30:00')).toEqual(['05:30']);
  });

  it('may lack the leading zero, or have am or pm', async () => {
    const times = ['6:00', '0:30', '4:30 am', '4:45 pm', '12:15 am', '12:15 PM'];
    expect(await onWire('create_schedule', 'startTimes', times)).toEqual([
      '06:00',
      '00:30',
      '04:30',
      '16:45',
      '00:15',
      '12:15',
    ]);
    expect(await onWire('create_alert', 'reminderTime', '7:30')).toBe('07:30:00');
    const spoken = ['6 am', '6 p.m.', '18h30'];
    expect(await onWire('create_schedule', 'startTimes', spoken)).toEqual([
      '06:00',
      '18:00',
      '18:30',
    ]);
    await expect(onWire('create_schedule', 'startTimes', ['6'])).rejects.toThrow('HH:MM');
  });

  it.each(['1:00', '4:30'])(
    'are refused if %s could be of both halves of the day',
    async (time) => {
      const hour = Number(time[0]);
      await expect(onWire('create_schedule', 'startTimes', [time])).rejects.toThrow(
        `the hour could be 0${time} or ${hour + 12}${time.slice(1)}: say which`,
      );
    },
  );

  it('are shown in an error as they were sent', async () => {
    await expect(onWire('create_alert', 'reminderTime', '24:00')).rejects.toThrow(
      'reminderTime "24:00" is not valid',
    );
    await expect(onWire('create_schedule', 'startTimes', ['06:00:30'])).rejects.toThrow(
      'startTimes.0 "06:00:30" is not valid',
    );
  });
});

describe('an unknown argument', () => {
  it.each([
    ['log_watering', 'duration', 'durationMin', 'invalid_body'],
    ['log_watering', 'moduleId', 'module', 'invalid_body'],
    ['list_waterings', 'sinceDate', 'to', 'invalid_parameter'],
    ['get_module', 'language', 'lang', 'invalid_parameter'],
  ])(
    'of %s is refused by name (%s), with the known ones listed',
    async (tool, name, near, code) => {
      const refusal = await readTool(tool, { [name]: 1 }).catch((error) => error);
      expect(refusal).toMatchObject({ code, status: 400, field: name });
      expect(refusal.message).toContain(`"${name}"`);
      expect(refusal.hint).toContain(near);
    },
  );

  it('suggests the nearest known one', async () => {
    await expect(readTool('log_watering', { durationMinutes: 1 })).rejects.toMatchObject({
      hint: expect.stringMatching(/^Nearest: durationMin\./),
    });
  });

  it('suggests none where none is near', async () => {
    await expect(readTool('list_rain', { zebra: 1 })).rejects.toMatchObject({
      hint: expect.stringMatching(/^It takes parcel, from, /),
    });
  });

  it('of a tool without arguments is refused as such', async () => {
    await expect(readTool('get_company', { name: 'x' })).rejects.toMatchObject({
      hint: 'It takes no argument.',
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('can be called %s', async (name) => {
    const args = JSON.parse(`{"module":"1","${name}":1}`);
    await expect(readTool('get_module', args)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('clear', () => {
  const correction = { eventId: 7, ...minutes };

  it('clears the fields it names', async () => {
    const { restArguments } = await readTool('correct_installation', {
      versionId: 1,
      clear: ['notes', 'flowMmPerH'],
    });
    expect(restArguments).toEqual({ versionId: 1, notes: null, flowMmPerH: null });
  });

  it.each([['note'], [['note', 'note']]])(
    'accepts one field, also named twice: %j',
    async (clear) => {
      expect(
        (await readTool('correct_watering', { ...correction, clear })).restArguments,
      ).toMatchObject({
        note: null,
      });
    },
  );

  it.each([
    [['startedAt'], '"startedAt"'],
    [['note', 'everything'], '"everything"'],
    [[5], '5'],
    ['status', '"status"'],
  ])('refuses what cannot be cleared: %j', async (clear, wrong) => {
    await expect(readTool('correct_watering', { ...correction, clear })).rejects.toMatchObject({
      code: 'invalid_body',
      message: `${wrong} cannot be emptied.`,
      field: 'clear',
      hint: expect.stringContaining('note'),
    });
  });

  it('refuses a field that is also set', async () => {
    await expect(
      readTool('correct_watering', { ...correction, note: 'x', clear: ['note'] }),
    ).rejects.toMatchObject({
      field: 'note',
    });
  });

  it('is suggested for null in a field that can be cleared', async () => {
    const hint = expect.stringContaining('clear');
    await expect(readTool('correct_watering', { ...correction, note: null })).rejects.toMatchObject(
      {
        field: 'note',
        hint,
      },
    );
  });

  it('is unknown to a tool that creates', async () => {
    await expect(
      readTool('log_watering', { module: '1', ...minutes, clear: ['note'] }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('"clear"'),
    });
  });
});

describe('instants', () => {
  const startedAt = async (text: string, now = FARM_NOW) => {
    const { input, advisories } = await readTool(
      'log_watering',
      { module: '1', ...minutes, startedAt: text },
      { ...context, now },
    );
    return { startedAt: iso(input.startedAt as number), advisories };
  };

  it.each([
    ['with an offset', '2026-07-01T06:00:00-03:00', '2026-07-01T09:00:00.000Z'],
    ['without one, in the company’s zone', '2026-07-01T06:00', '2026-07-01T04:00:00.000Z'],
    ['in English', 'yesterday 6:30', '2026-06-30T04:30:00.000Z'],
    ['in French', 'hier à 6h30', '2026-06-30T04:30:00.000Z'],
    ['from now', '20 minutes ago', '2026-07-01T09:40:00.000Z'],
  ])('are read %s: %s', async (_, text, instant) => {
    expect(await startedAt(text)).toEqual({ startedAt: instant, advisories: [] });
  });

  it.each([
    [
      'in a gap take the offset before it',
      '2026-03-29 02:30',
      '01:30',
      'skipped_local_time',
      '03:30',
    ],
    ['in a fold take the first pass', '2025-10-26 02:30', '00:30', 'repeated_local_time', '02:30'],
  ])('%s, with an advisory', async (_, text, utcTime, kind, clock) => {
    const instant = `${text.slice(0, 10)}T${utcTime}:00.000Z`;
    expect(await startedAt(text)).toEqual({
      startedAt: instant,
      advisories: [{ kind, text: `"${text}"`, clock }],
    });
  });

  it('that cannot be read are refused with the reason and the code of the field', async () => {
    await expect(startedAt('2026-02-30 06:00')).rejects.toMatchObject({
      code: 'INVALID_STARTED_AT',
      message: 'startedAt "2026-02-30 06:00" cannot be read: 30 February 2026 does not exist.',
      field: 'startedAt',
    });
  });

  it('of a bound are refused as invalid_parameter', async () => {
    await expect(readTool('list_waterings', { from: 'long ago' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'from',
    });
  });
});

describe('reading in order', () => {
  it('reports a malformed entry before an unknown name', () =>
    withFarm(async (farm) => {
      await expect(farm.log('Nowhere', { ...minutes, durationMin: 0 })).rejects.toMatchObject({
        code: 'INVALID_DURATION',
      });
    }));

  it.each([undefined, '', '   '])(
    'reports an absent module (%j) as invalid_parameter',
    async (module) => {
      await expect(readTool('log_watering', { module, ...minutes })).rejects.toMatchObject({
        code: 'invalid_parameter',
        field: 'module',
      });
    },
  );

  it.each([undefined, '', '0'])(
    'reports an invalid id (%j) of get_module as invalid_id',
    async (module) => {
      await expect(readTool('get_module', { module })).rejects.toMatchObject({
        code: 'invalid_id',
        status: 400,
      });
    },
  );

  it('refuses an id that nothing can have where it stands in for that of a row, too', async () => {
    const sent = { module: '#0', isActive: false };
    await expect(readTool('update_schedule', sent)).rejects.toMatchObject({
      field: 'module',
      message: expect.stringContaining('module 0 is not valid'),
    });
  });

  it('treats digits beyond every id as an unknown module', () =>
    withFarm(async (farm) => {
      await expect(farm.log('99999999999999999999999', minutes)).rejects.toMatchObject({
        code: 'MODULE_NOT_OWNED',
      });
    }));

  it('says so when a parcel was taken as its only probe', () =>
    withFarm(async (farm) => {
      const { event, summary } = await farm.log('South block', minutes);
      expect(event.moduleId).toBe(farm.idOf('South 1'));
      expect(summary).toContain('South block has one probe, South 1, which was used.');
    }));
});

describe('an error in the entry itself', () => {
  const missing = { startedAt: 'today 6:00', inputMode: 'depth_mm' };

  it.each(['nope', '#99', '99'])(
    'is reported before the owner of the module is checked (%s)',
    async (module) => {
      await expect(readTool('log_watering', { module, ...missing })).rejects.toMatchObject({
        code: 'MISSING_DEPTH',
      });
    },
  );

  it('is reported before the owner of a setup’s target is checked', async () => {
    const sent = { system: 'drip', effectiveFrom: iso(FARM_NOW + 60_000) };
    for (const [name, target] of [
      ['set_module_installation', { module: 'nowhere' }],
      ['set_parcel_installation', { parcel: 'nowhere' }],
    ] as const)
      await expect(readTool(name, { ...target, ...sent })).rejects.toMatchObject({
        code: 'EFFECTIVE_FROM_IN_FUTURE',
      });
  });
});

describe('defaults', () => {
  const logMany = async (farm: Parameters<Parameters<typeof withFarm>[0]>[0], count: number) => {
    for (let each = 0; each < count; each += 1) await farm.log('North 1', minutes);
  };

  it('of limit are 10 in a tool and 50 over the wire', () =>
    withFarm(async (farm) => {
      await logMany(farm, 52);
      const sizes = [];
      for (const ask of [farm.tool, farm.wire])
        sizes.push((await ask<{ data: WateringBody[] }>('list_waterings')).data.length);
      expect(sizes).toEqual([10, 50]);
    }));

  it.each(['list_modules', 'list_parcels'])(
    'of detail in %s are concise in a tool and full over the wire',
    (tool) =>
      withFarm(async (farm) => {
        const whole = tool === 'list_modules' ? 'sensors' : 'geometry';
        const first = async (ask: typeof farm.tool) =>
          (await ask<{ data: Record<string, unknown>[] }>(tool)).data[0];
        expect(await first(farm.tool)).not.toHaveProperty(whole);
        expect(await first(farm.wire)).toHaveProperty(whole);
        const answer = await farm.tool<{ data: Record<string, unknown>[] }>(tool, {
          detail: 'full',
        });
        expect(answer.data[0]).toHaveProperty(whole);
      }),
  );
});

describe('the caller', () => {
  it('is unknown without a key in a store with several companies: 401 unauthenticated', () =>
    withFarm(async (farm) => {
      const operation = operationsByName.get('get_company')!;
      const runner = new LocalRunner({
        store: farm.store,
        operations: operationsByName,
        clock: () => farm.now,
        lang: 'en',
        source: 'mcp',
      });
      const ask = {
        rawArguments: {},
        readArguments: async (at: CheckContext) => checkedArguments(operation, {}, at),
      };
      await expect(runner.run(operation, ask)).rejects.toMatchObject({
        code: 'unauthenticated',
        status: 401,
      });
    }));
});

/** The limits in metric and in US units, without words for arguments. */
const LIMITS: readonly (readonly [
  tool: string,
  args: Record<string, unknown>,
  metric: string,
  us: string,
])[] = [
  [
    'log_watering',
    { module: '#1', ...minutes, inputMode: 'depth_mm', inputDepthMm: '100 in' },
    'inputDepthMm "100 in" is not valid: it must be at most 1000 mm.',
    'inputDepthMm "100 in" is not valid: it must be at most 39.37 in (1000 mm).',
  ],
  [
    'log_watering',
    { module: '#1', ...minutes, durationMin: '800 h' },
    'durationMin "800 h" is not valid: it must be at most 44640 min (31 days).',
    'durationMin "800 h" is not valid: it must be at most 44640 min (31 days).',
  ],
  [
    'log_watering',
    { module: '#1', ...minutes, inputMode: 'volume_m3', inputVolumeM3: -3 },
    'inputVolumeM3 -3 is not valid: it must be above 0.',
    'inputVolumeM3 -3 is not valid: it must be above 0.',
  ],
  [
    'set_module_installation',
    { module: '#1', system: 'drip', irrigatedAreaM2: '2000 ha' },
    'irrigatedAreaM2 "2000 ha" is not valid: it must be at most 1000 ha (10000000 m2).',
    'irrigatedAreaM2 "2000 ha" is not valid: it must be at most 2,471 acres (1000 ha).',
  ],
  [
    'set_module_installation',
    { module: '#1', system: 'drip', emitterSpacingM: '2000 ft', lineSpacingM: 3 },
    'emitterSpacingM "2000 ft" is not valid: it must be at most 500 m.',
    'emitterSpacingM "2000 ft" is not valid: it must be at most 1,640 ft (500 m).',
  ],
  [
    'set_module_installation',
    { module: '#1', system: 'drip', emitterSpacingM: '0.1 in', lineSpacingM: '3 ft' },
    'emitterSpacingM "0.1 in" is not valid: it must be at least 0.01 m.',
    'emitterSpacingM "0.1 in" is not valid: it must be at least 0.0329 ft (0.01 m).',
  ],
  [
    'set_module',
    { name: 'N', sensors: ['humidity 600 in'] },
    'sensors.0 "humidity 600 in" is not valid: it must be humidity, temperature or tensio, and its depth, from 0 to 500 cm, such as "humidity 20 cm".',
    'sensors.0 "humidity 600 in" is not valid: it must be humidity, temperature or tensio, and its depth, from 0 to 197 in (0 to 500 cm), such as "humidity 20 cm".',
  ],
  [
    'assign_device',
    { device: 'EUI', module: '#1', depths: [20_000] },
    'depths.0, 20000, is not valid: it must be at most 500 cm.',
    'depths.0, 20000, is not valid: it must be at most 500 cm.',
  ],
  [
    'assign_device',
    { device: 'EUI', module: '#1', depths: ['4 in'] },
    'depths.0 "4 in" is not valid: it must be a number in cm.',
    'depths.0 "4 in" is not valid: it must be a number in cm.',
  ],
  [
    'set_probe_settings',
    { module: '#1', calibration: ['20 cm: reads 20, true 0'] },
    'calibration.0 "20 cm: reads 20, true 0" is not valid: it must be a point whose percentages are above 0 and at most 100.',
    'calibration.0 "20 cm: reads 20, true 0" is not valid: it must be a point whose percentages are above 0 and at most 100.',
  ],
  [
    'set_probe_settings',
    { module: '#1', calibration: ['20 cm: reads 20, weighed 15, bulk density 3'] },
    'calibration.0 "20 cm: reads 20, weighed 15, bulk density 3" is not valid: it must be a point whose bulk density is above 0 and at most 2.65 g/cm3.',
    'calibration.0 "20 cm: reads 20, weighed 15, bulk density 3" is not valid: it must be a point whose bulk density is above 0 and at most 2.65 g/cm3.',
  ],
  [
    'list_waterings',
    { limit: 'five hundred' },
    'limit "five hundred" is not valid: it must be at most 200.',
    'limit "five hundred" is not valid: it must be at most 200.',
  ],
  [
    'set_soil_profile',
    {
      parcel: '#1',
      layers: [{ soilHorizonId: 'loam', depthTopCm: 0, depthBottomCm: '400 ft' }],
    },
    'layers.0.depthBottomCm "400 ft" is not valid: it must be at most 10000 cm.',
    'layers.0.depthBottomCm "400 ft" is not valid: it must be at most 3,937 in (10000 cm).',
  ],
  [
    'get_module',
    { module: ['a', 'b'] },
    'module ["a","b"] is not valid: it must be a name or an id.',
    'module ["a","b"] is not valid: it must be a name or an id.',
  ],
];

describe('a value that a field does not accept', () => {
  const refusalOf = async (
    tool: string,
    args: Record<string, unknown>,
    units: 'metric' | 'us',
  ): Promise<string> => {
    const error = await readTool(tool, args, { ...context, units }).catch((reason) => reason);
    if (!(error instanceof AcequiaError)) throw error;
    return renderText(error.texts.message, units);
  };

  it.each(LIMITS)(
    'is said as sent, with the unit of the limit: %s, %j',
    async (tool, args, metric, us) => {
      expect(await refusalOf(tool, args, 'metric')).toBe(metric);
      expect(await refusalOf(tool, args, 'us')).toBe(us);
    },
  );
});

describe('quantities', () => {
  const inUs = { ...context, countryCode: 'US', units: 'us' } as const;
  const setup = { parcel: '#1', system: 'drip', effectiveFrom: '2026-05-01' };

  it('may be numbers, texts in the unit of the field or in other units', async () => {
    const { input } = await readTool(
      'set_parcel_installation',
      {
        ...setup,
        emitterFlowLph: '1/2 gph',
        emitterSpacingM: '2 ft',
        lineSpacingM: 3,
        irrigatedAreaM2: '4 acres',
      },
      inUs,
    );
    expect(input).toMatchObject({
      emitterFlowLph: 1.892705892,
      emitterSpacingM: 0.6096,
      lineSpacingM: 3,
      irrigatedAreaM2: 16_187.4256896,
    });
  });

  it('are whole cm where the field is in cm', async () => {
    const placement = await readTool('set_module_placement', {
      module: '#1',
      emitterDistanceCm: '8 in',
    });
    expect(placement.input).toMatchObject({ emitterDistanceCm: 20 });
    await expect(
      readTool('set_module_placement', { module: '#1', emitterDistanceCm: '20.5 cm' }),
    ).rejects.toMatchObject({ code: 'INVALID_EMITTER_DISTANCE' });
  });

  it('are read in layers and before the colon of a text', async () => {
    const soil = await readTool('set_soil_profile', {
      parcel: '#1',
      layers: [
        { soilHorizonId: 'loam', depthTopCm: 0, depthBottomCm: '1 ft' },
        { soilHorizonId: 'clay', depthTopCm: '12 in', depthBottomCm: '60 cm' },
      ],
    });
    expect(soil.input).toMatchObject({
      layers: [
        { depthTopCm: 0, depthBottomCm: 30 },
        { depthTopCm: 30, depthBottomCm: 60 },
      ],
    });
    const settings = await readTool('set_probe_settings', {
      module: '#1',
      rootDepthCm: '2 feet',
      depthWeights: ['4 in: 0.6', '12 in: 0.4'],
      hoursPerDay: '90 min',
    });
    expect(settings.input).toMatchObject({
      rootDepthCm: 61,
      depthWeights: { 10: 0.6, 30: 0.4 },
      hoursPerDay: 1.5,
    });
  });

  it.each(['12 in: rubbish', '10 cm: 20 = 23'])('before a colon are quoted as sent: %s', (text) =>
    expect(readTool('set_probe_settings', { module: '#1', calibration: [text] })).rejects.toThrow(
      `calibration.0 "${text}" is not valid: `,
    ),
  );

  it('in a layer are refused with their path', async () => {
    const layer = { soilHorizonId: 6, depthTopCm: 'x', depthBottomCm: 30 };
    await expect(
      readTool('set_soil_profile', { parcel: '#1', layers: [layer] }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/^layers\.0\.depthTopCm "x" cannot be read: /),
      field: 'layers',
    });
  });

  it('are depths of sensors, alone or after a word', async () => {
    const calibration = await readTool('set_probe_settings', {
      module: '#1',
      calibration: [
        '4 in: reads 20, true 23',
        '1 ft reads 18, true 20, from 1 July',
        '60 cm: reads 9, true 11',
      ],
    });
    expect(calibration.input).toMatchObject({
      calibration: [{ depthCm: 10 }, { depthCm: 30, from: '1 July' }, { depthCm: 60 }],
    });
    const module = await readTool('set_module', {
      name: 'North 1',
      sensors: ['humidity 4 in', 'humidity 24 pulgadas: deep', 'temperature 10', 'temperature'],
    });
    expect(module.input).toMatchObject({
      sensors: [
        { type: 'humidity', depth: 10 },
        { type: 'humidity', depth: 61, label: 'deep' },
        { type: 'temperature', depth: 10 },
        { type: 'temperature', depth: null },
      ],
    });
  });

  it('without a unit are asked about where people may mean US units, and numbers are metric', async () => {
    const rain = (mm: unknown) => readTool('log_rain', { when: '2026-06-01', mm }, inUs);
    await expect(rain('0.5')).rejects.toMatchObject({
      message: expect.stringMatching(/ask whether "0\.5 in" or "0\.5 mm" is meant/),
    });
    expect((await rain(0.5)).input).toMatchObject({ mm: 0.5 });
    expect((await rain('0.5 in')).input).toMatchObject({ mm: 12.7 });
  });

  it('that are the width of a wetted strip are divided by the distance between lines', async () => {
    const read = async (fields: object) =>
      (await readTool('set_parcel_installation', { ...setup, ...fields })).input;
    for (const fractionWetted of ['90 cm', '0.9 m', '30 %'])
      expect(await read({ fractionWetted, lineSpacingM: '3 m' })).toMatchObject({
        fractionWetted: 0.3,
      });
    expect(await read({ fractionWetted: '4 m', lineSpacingM: 3 })).toMatchObject({
      fractionWetted: 1,
    });
    expect(await read({ fractionWetted: '3 ft', lineSpacingM: '12 ft' })).toMatchObject({
      fractionWetted: 0.25,
    });
    await expect(read({ fractionWetted: '90 cm' })).rejects.toMatchObject({
      code: 'INVALID_FRACTION_WETTED',
    });
    // The density lacks the other spacing.
    const emitters = { emitterFlowLph: 2, fractionWetted: '90 cm', lineSpacingM: 3 };
    await expect(read(emitters)).rejects.toMatchObject({ code: 'INVALID_EMITTER_DENSITY' });
  });

  it('that are gallons need the country, or its name', async () => {
    const flow = { ...setup, emitterFlowLph: '1 gph' };
    await expect(readTool('set_parcel_installation', flow)).rejects.toMatchObject({
      code: 'INVALID_EMITTER_FLOW',
      message: expect.stringMatching(/ask which, and say US or imperial gallons/),
    });
    const named = await readTool('set_parcel_installation', {
      ...flow,
      emitterFlowLph: '1 US gph',
    });
    expect(named.input).toMatchObject({ emitterFlowLph: 3.785411784 });
  });
});

it.each([null, ''])('leaves out %j for the other target of a tool', async (empty) => {
  await withFarm(async (farm) => {
    const watering = { startedAt: iso(FARM_NOW - HOUR), durationMin: 30 };
    await farm.tool('log_watering', { module: 'North 1', parcel: empty, ...watering });
    await farm.tool('log_watering', { parcel: 'North block', module: empty, ...watering });
    await farm.tool('advise_watering', { module: empty, parcel: 'North block' });
    await expect(
      farm.tool('log_watering', { module: 'North 1', parcels: empty, ...watering }),
    ).rejects.toMatchObject({ message: 'There is no argument "parcels".' });
  });
});
