import type { RefusedRequest } from './request-farm.ts';

const log = (module: string, startedAt: string, more: object = { durationMin: 45 }) => ({
  tool: 'log_watering',
  args: { module, startedAt, ...more },
});

const unclearStart = (module: string, startedAt: string) => ({
  ...log(module, startedAt),
  code: 'INVALID_STARTED_AT',
  field: 'startedAt',
});

export const INCOMPLETE_REQUESTS: RefusedRequest[] = [
  {
    text: 'I watered North 1 for 45 minutes this morning.',
    ...unclearStart('North 1', 'this morning'),
    asks: /no hour given.*date and hour in local time/,
  },
  {
    text: "J'ai arrosé North 1 hier soir.",
    ...unclearStart('North 1', 'hier soir'),
    asks: /no hour given/,
  },
  {
    text: 'I watered North 1 yesterday at two.',
    ...unclearStart('North 1', 'yesterday at two'),
    asks: /could be 02:00 or 14:00: say which/,
  },
  {
    text: "J'ai arrosé North 1 cette nuit à 3 h.",
    ...unclearStart('North 1', 'cette nuit à 3 h'),
    asks: /last night or tonight: give the date and the hour/,
  },
  {
    text: 'Water North 1 next Friday at five.',
    ...unclearStart('North 1', 'next friday at five'),
    asks: /3 July 2026 or 10 July 2026: give the date/,
  },
  {
    text: 'I watered North 1 a couple of hours ago.',
    ...unclearStart('North 1', 'a couple of hours ago'),
    asks: /not understood.*Give date and hour/,
  },
  {
    text: 'I watered North 1 at six this morning.',
    ...log('North 1', 'six this morning', {}),
    code: 'MISSING_DURATION',
    field: 'durationMin',
    asks: /duration/i,
  },
  {
    text: 'On a mis de l’eau au verger à 6 h, je lirai le compteur.',
    ...log('Orchard', '6 h', {}),
    code: 'MISSING_DURATION',
    field: 'durationMin',
    asks: /ask/i,
  },
  {
    text: "J'ai arrosé le bloc nord à 6 h.",
    ...log('North block', '6 h'),
    code: 'AMBIGUOUS_NAME',
    field: 'module',
    asks: /"North 1" \(#1\), "North 2" \(#2\).*Ask which one is meant/,
  },
  {
    text: 'I watered the terrace at six.',
    ...log('terrace', 'at six'),
    code: 'AMBIGUOUS_NAME',
    field: 'module',
    asks: /"Terrace 1" \(#4\), "Terrace 2" \(#5\).*Ask which one is meant/,
  },
  {
    text: 'I watered the west block at six.',
    ...log('West block', 'at six'),
    code: 'MODULE_NOT_OWNED',
    field: 'module',
    asks: /No probe is called "West block".*"North 1" \(#1\).*Ask which one is meant/,
  },
  {
    text: 'The block has sprinklers.',
    tool: 'set_parcel_installation',
    args: { parcel: 'block', system: 'sprinkler' },
    code: 'AMBIGUOUS_NAME',
    field: 'parcel',
    asks: /"North block" \(#1\), "South block" \(#4\).*Ask which one is meant/,
  },
  {
    text: 'North 1 ran from half past six to six yesterday.',
    ...log('North 1', 'yesterday at half past six', { endedAt: 'yesterday at 6' }),
    code: 'ENDED_BEFORE_STARTED',
    field: 'endedAt',
    asks: /end/,
  },
  {
    text: 'It started at six in the evening and ended at seven thirty.',
    ...log('North 1', 'yesterday at six in the evening', { endedAt: 'seven thirty' }),
    code: 'INVALID_ENDED_AT',
    field: 'endedAt',
    asks: /same day or the next/,
  },
  {
    text: 'Mark the watering of tomorrow at five as done.',
    ...log('North 1', 'tomorrow at 05:00', { durationMin: 30, status: 'done' }),
    code: 'INVALID_STATUS',
    field: 'status',
    asks: /planned/,
  },
];
