/** A call that the demo farm refuses, and the sentence that a person hears. */
export type RefusedCall = readonly [
  tool: string,
  args: Record<string, unknown>,
  spoken: string | RegExp,
];

const watering = { module: 'North 1', startedAt: 'today 06:00', durationMin: 40 };
const schedule = {
  module: 'North 1',
  freq: 'daily',
  startTimes: ['06:00'],
  durationMin: 30,
};
const drip = { module: 'North 1', system: 'drip' };
const without = <T extends object>(args: T, name: keyof T) => ({ ...args, [name]: undefined });

export const REFUSED_CALLS: readonly RefusedCall[] = [
  [
    'log_watering',
    { ...watering, module: 'Nort 7' },
    'No probe is called "Nort 7". Nearest: "North 1", "North 2".',
  ],
  [
    'log_watering',
    { ...watering, module: 'north' },
    '"north" can mean several probes: "North 1", "North 2".',
  ],
  [
    'log_watering',
    without(watering, 'module'),
    /^The probe is missing\. The probes are "North 1", /,
  ],
  ['log_watering', { ...watering, module: '#99' }, 'There is no such module in this company.'],
  ['log_watering', { ...watering, parcel: 'North block' }, 'Both a probe and a parcel are given.'],
  [
    'log_watering',
    without(watering, 'durationMin'),
    'The amount is missing: the duration (minutes) or the end.',
  ],
  ['log_watering', without(watering, 'startedAt'), 'The start is missing.'],
  [
    'log_watering',
    { ...watering, startedAt: 'today 4:30' },
    'The start "today 4:30" cannot be read: the hour could be 04:30 or 16:30: say which.',
  ],
  [
    'create_schedule',
    { ...schedule, startsOn: 'tomorrow 7:30' },
    'The day was given with 07:30, which is not among the start times.',
  ],
  [
    'create_schedule',
    { ...schedule, endsOn: 'March' },
    /^The \w+ \w+ "March" cannot be read: it could be the first or the last day of that month/,
  ],
  [
    'log_watering',
    { ...watering, startedAt: 'today' },
    'The start "today" cannot be read: no hour given.',
  ],
  [
    'log_watering',
    { ...watering, startedAt: 'tomorrow 06:00', status: 'done' },
    /still to come, so it cannot be done\.$/,
  ],
  [
    'log_watering',
    { ...watering, durationMin: '40 mm' },
    /^The duration "40 mm" cannot be read: it is a depth of water in mm/,
  ],
  [
    'log_watering',
    { ...watering, durationMin: 0 },
    'The duration 0 is not valid: it must be at least 1 min.',
  ],
  [
    'log_watering',
    { ...watering, endedAt: 'today 07:00' },
    'The duration, 40 min, and the end, 1 h after the start, disagree.',
  ],
  ['log_watering', { ...watering, minutes: 40 }, 'There is no argument "minutes".'],
  ['correct_watering', { eventId: 799_999, durationMin: 40 }, 'There is no such watering.'],
  ['correct_watering', { durationMin: 40 }, 'The watering is missing.'],
  ['log_rain', { when: 'yesterday' }, 'The amount of rain is missing.'],
  [
    'log_rain',
    { mm: 9, when: 'tomorrow' },
    'The time "tomorrow" cannot be read: that is still to come.',
  ],
  ['correct_rain', { rainId: 799_999, mm: 3 }, 'There is no such rain record.'],
  [
    'create_schedule',
    { ...schedule, freq: 'weekly' },
    'A weekly schedule needs at least one weekday.',
  ],
  [
    'create_schedule',
    { ...schedule, startTimes: ['4:00'] },
    /^The start time "4:00" cannot be read: /,
  ],
  [
    'create_schedule',
    { ...schedule, startsOn: '2026-08-01', endsOn: '2026-07-05' },
    'The last day, 5 Jul, is before the first day, 1 Aug.',
  ],
  ['create_schedule', without(schedule, 'module'), 'Neither a probe nor a parcel is given.'],
  ['update_schedule', { module: 'North 1', startTimes: ['06:00'] }, 'North 1 has no schedule.'],
  [
    'create_alert',
    { module: 'North 1', threshold: 0.25 },
    /^The threshold "0.25" cannot be read: it could be 0.25 % or 25 %: ask which/,
  ],
  ['update_alert', { module: 'South 1', threshold: 20 }, 'South 1 has no alert.'],
  [
    'get_moisture_series',
    { module: 'North 1', start: 'today 06:00', end: 'yesterday 06:00' },
    'The start of the period, today 06:00, is not before its end, yesterday 06:00.',
  ],
  [
    'list_waterings',
    { limit: 500 },
    'The number of rows 500 is not valid: it must be at most 200.',
  ],
  [
    'list_waterings',
    { cursor: 'abc' },
    'The next page that was asked for does not belong to this list.',
  ],
  [
    'list_waterings',
    { parcel: 'Vineyard' },
    'No parcel is called "Vineyard". The parcels are "North block", "South block".',
  ],
  [
    'set_module_installation',
    { ...drip, emitterFlowLph: 1.6, emitterSpacingM: 0.3 },
    'The spacing of the lines is missing: one spacing alone gives no density.',
  ],
  [
    'set_module_installation',
    { ...drip, flowMmPerH: 3, effectiveFrom: '2027-01-01' },
    'The start 1 Jan 2027 00:00 is in the future.',
  ],
  ['correct_installation', { module: 'South 1', flowMmPerH: 3 }, /^South 1 has no /],
  [
    'set_soil_profile',
    {
      parcel: 'North block',
      layers: [{ soilHorizonId: 'Loam', depthTopCm: 30, depthBottomCm: 10 }],
    },
    'Layer 1 (30 to 10 cm) has its bottom at or above its top.',
  ],
  [
    'set_probe_settings',
    { module: 'North 1', depthWeights: ['15: 1'] },
    'A weight is given at 15 cm, where the probe has no sensor.',
  ],
  [
    'set_water_times',
    { parcel: 'North block', everyHours: 192 },
    'Turns need the start of one of them.',
  ],
  [
    'set_water_times',
    { parcel: 'North block', everyHours: 3, turnAt: 'today 06:00' },
    'The time between turns 3 is not valid: it must be at least 24.',
  ],
  [
    'set_parcel',
    { name: 'North block', plantedOn: '2026-05-01', harvestedOn: '2026-04-01' },
    'The harvest on 1 Apr is before the planting on 1 May.',
  ],
  ['undo', { changeId: 799_999 }, 'There is no such change.'],
  ...['list_waterings', 'list_rain', 'list_changes'].map(
    (tool) =>
      [
        tool,
        { from: 'today', to: 'yesterday' },
        'The start of the period is not before its end.',
      ] as const,
  ),
];
