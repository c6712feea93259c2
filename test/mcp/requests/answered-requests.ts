import { expect } from 'vitest';
import { type AnsweredRequest, NEWEST_VWC } from './request-farm.ts';

const duration = (module: string, startedAt: string, durationMin: number) => ({
  module,
  startedAt,
  durationMin,
});

/** 3.2 mm/h is the drip of North 1 (0.35 wetted), 6 mm/h the sprinklers of North 2. */
export const WATERING_REQUESTS: AnsweredRequest[] = [
  {
    text: 'I watered North 1 for forty-five minutes this morning at six.',
    tool: 'log_watering',
    args: duration('North 1', 'this morning at six', 45),
    expected: {
      event: {
        moduleId: 1,
        startedAt: '2026-07-01T04:00:00.000Z',
        endedAt: '2026-07-01T04:45:00.000Z',
        waterMm: 2.4,
        waterMmWetted: 6.857,
        status: 'done',
      },
    },
  },
  {
    text: 'Uh, yesterday at like half past six, an hour, on North 2.',
    tool: 'log_watering',
    args: duration('North 2', 'uh, yesterday at like half past six', 60),
    expected: {
      event: {
        moduleId: 2,
        startedAt: '2026-06-30T04:30:00.000Z',
        waterMm: 6,
        waterMmWetted: null,
      },
    },
  },
  {
    text: "J'ai arrosé North 2 dimanche de 6 h à 7 h 30.",
    tool: 'log_watering',
    args: {
      module: 'north 2',
      startedAt: 'dimanche à 6 h',
      endedAt: "jusqu'à 7 h 30",
    },
    expected: {
      event: { moduleId: 2, startedAt: '2026-06-28T04:00:00.000Z', durationMin: 90, waterMm: 9 },
    },
  },
  {
    text: 'On a mis douze millimètres au verger lundi dernier à 7 h.',
    tool: 'log_watering',
    args: {
      module: 'Orchard',
      startedAt: 'lundi dernier à 7h',
      inputDepthMm: 12,
    },
    // Half of the soil is wetted.
    expected: {
      event: { moduleId: 3, startedAt: '2026-06-29T05:00:00.000Z', waterMm: 12, waterMmWetted: 24 },
    },
  },
  {
    text: 'We put twenty cubic metres on the apricots yesterday at 6 pm.',
    tool: 'log_watering',
    args: {
      module: 'apricots',
      startedAt: 'yesterday at 6 pm',
      inputVolumeM3: 20,
    },
    // 20 m3 on 5,000 m2 are 4 mm.
    expected: {
      event: { moduleId: 3, startedAt: '2026-06-30T16:00:00.000Z', waterMm: 4, waterMmWetted: 8 },
    },
  },
  {
    text: 'Water North 1 for half an hour tomorrow at five in the morning.',
    tool: 'log_watering',
    args: duration('North 1', 'tomorrow at five in the morning', 30),
    expected: { event: { startedAt: '2026-07-02T03:00:00.000Z', waterMm: 1.6, status: 'planned' } },
  },
  {
    text: "Prévois trois quarts d'heure sur North 2 vendredi qui vient à 5 h.",
    tool: 'log_watering',
    args: duration('North 2', 'vendredi qui vient à 5 h', 45),
    expected: { event: { startedAt: '2026-07-03T03:00:00.000Z', waterMm: 4.5, status: 'planned' } },
  },
  {
    text: 'I started the drip on North 1 twenty minutes ago, for ten minutes.',
    tool: 'log_watering',
    args: duration('North 1', 'twenty minutes ago', 10),
    expected: { event: { startedAt: '2026-07-01T09:40:00.000Z', waterMm: 0.533 } },
  },
  {
    text: 'La nuit dernière à 23 h, deux heures, sur North 1.',
    tool: 'log_watering',
    args: duration('North 1', 'la nuit dernière à 23 h', 120),
    expected: {
      event: {
        startedAt: '2026-06-30T21:00:00.000Z',
        endedAt: '2026-06-30T23:00:00.000Z',
        waterMm: 6.4,
      },
    },
  },
  {
    text: 'North 2 ran from ten last night until midnight.',
    tool: 'log_watering',
    args: {
      module: 'North 2',
      startedAt: 'last night at ten',
      endedAt: 'until midnight',
    },
    expected: { event: { startedAt: '2026-06-30T20:00:00.000Z', durationMin: 120, waterMm: 12 } },
  },
  {
    text: "J'ai arrosé North 1 avant-hier soir à 21 h pendant une heure et quart.",
    tool: 'log_watering',
    args: duration('North 1', 'avant-hier soir à 21 h', 75),
    expected: { event: { startedAt: '2026-06-29T19:00:00.000Z', waterMm: 4 } },
  },
  {
    text: 'I irrigated the south block for forty minutes yesterday evening at seven.',
    tool: 'log_watering',
    args: duration('south block', 'yesterday evening at seven', 40),
    expected: {
      summary: expect.stringContaining('South block has one probe, South 1'),
      event: { moduleId: 6, startedAt: '2026-06-30T17:00:00.000Z', waterMm: null },
      warnings: ['NO_INSTALLATION'],
    },
  },
  {
    text: 'Note that the filter was clogged when North 2 ran for 20 minutes on the 25th of June at 6 am.',
    tool: 'log_watering',
    args: { ...duration('North 2', '25 June at 6 am', 20), note: 'filter clogged' },
    expected: {
      event: { startedAt: '2026-06-25T04:00:00.000Z', waterMm: 2, note: 'filter clogged' },
    },
  },
  {
    text: 'No, on Monday it was fifty minutes, not forty-five.',
    tool: 'correct_watering',
    args: { eventId: 1, startedAt: 'monday 6:00', durationMin: 50 },
    expected: { event: { id: 1, durationMin: 50, waterMm: 2.667 } },
  },
  {
    text: "Hier sur North 1, en fait c'était à 7 h.",
    tool: 'correct_watering',
    args: { eventId: 2, startedAt: 'hier à 7 h' },
    expected: {
      event: { id: 2, startedAt: '2026-06-30T05:00:00.000Z', durationMin: 60, waterMm: 3.2 },
    },
  },
  {
    text: 'Forget the watering of the 27th, it never happened.',
    tool: 'correct_watering',
    args: { eventId: 5, startedAt: '27 June 06:00', status: 'skipped' },
    expected: { event: { id: 5, status: 'skipped' } },
  },
  {
    text: 'Enlève la remarque de cet arrosage-là.',
    tool: 'correct_watering',
    args: { eventId: 4, startedAt: 'vendredi à 6 h', clear: ['note'] },
    expected: { event: { id: 4, startedAt: '2026-06-26T04:00:00.000Z', note: null } },
  },
];

export const DECLARATION_REQUESTS: AnsweredRequest[] = [
  {
    text: 'Terrace 2 has a pivot that puts down four millimetres an hour.',
    tool: 'set_module_installation',
    args: { module: 'Terrace 2', system: 'pivot', flowMmPerH: 4 },
    expected: {
      installation: { scope: 'module', system: 'pivot', flowMmPerH: 4, fractionWetted: 1 },
    },
  },
  {
    text: 'La terrasse est au goutte-à-goutte : 2 litres par heure, 4 goutteurs au mètre carré.',
    tool: 'set_parcel_installation',
    args: { parcel: 'terrace', system: 'drip', emitterFlowLph: 2, emittersPerM2: 4 },
    expected: { success: true },
    followUp: {
      tool: 'get_irrigation_setup',
      args: { module: 'Terrace 1' },
      answers: {
        installation: { scope: 'parcel', system: 'drip', flowMmPerH: 8, fractionWetted: 0.35 },
      },
    },
  },
  {
    text: 'The nearest emitter is thirty centimetres from North 2.',
    tool: 'set_module_placement',
    args: { module: 'North 2', emitterDistanceCm: 30 },
    expected: { placement: { emitterDistanceCm: 30 } },
  },
  {
    text: "Qu'est-ce qui changerait si l'équipement de North 1 valait pour tout le bloc ?",
    tool: 'generalize_installation',
    args: { module: 'North 1', dryRun: true },
    expected: { probes: expect.arrayContaining([expect.objectContaining({ moduleId: 2 })]) },
  },
  {
    text: 'Every other day at five in the morning, half an hour on North 1, from tomorrow.',
    tool: 'create_schedule',
    args: {
      module: 'North 1',
      freq: 'daily',
      intervalDays: 2,
      startTimes: ['05:00'],
      startsOn: '2026-07-02',
      durationMin: 30,
    },
    expected: { targetModuleId: 1, intervalDays: 2, isActive: true, durationMin: 30 },
  },
  {
    text: 'Tous les lundis et jeudis à 5 h 30 sur le verger, quatre millimètres.',
    tool: 'create_schedule',
    args: {
      parcel: 'orchard',
      freq: 'weekly',
      weekdays: [1, 4],
      startTimes: ['05:30'],
      startsOn: '2026-07-02',
      inputDepthMm: 4,
    },
    expected: { targetParcelId: 2, weekdays: [1, 4], inputDepthMm: 4 },
  },
  {
    text: 'Stop the five o’clock schedule of the terrace.',
    tool: 'update_schedule',
    args: { scheduleId: 1, isActive: false },
    expected: { id: 1, isActive: false },
  },
  {
    text: 'Décale celui de 22 h à 21 h 30.',
    tool: 'update_schedule',
    args: { scheduleId: 2, startTimes: ['21:30'] },
    expected: { id: 2, startTimes: ['21:30'] },
  },
  {
    text: 'The soil of the orchard is loam down to sixty.',
    tool: 'set_soil_profile',
    args: { parcel: 'Orchard', layers: [{ soilHorizonId: '6', depthTopCm: 0, depthBottomCm: 60 }] },
    expected: { success: true },
    followUp: {
      tool: 'get_soil_profile',
      args: { parcel: 'Orchard' },
      answers: { data: [{ usda_class: 'Loam', depth_bottom_cm: 60 }] },
    },
  },
  {
    text: 'Trace une ligne à 18 % sur la courbe de North 2.',
    tool: 'create_annotation',
    args: { module: 'North 2', chartType: 'humidity', type: 'h-line', value: 18, unit: 'vwc' },
    expected: { module_id: 2, type: 'h-line', unit: 'vwc' },
  },
];

/** 40 cm of loam hold 27.96 % at field capacity (list_soil_horizons): 4 mm for each point. */
const DEFICIT_MM = (27.96 - NEWEST_VWC) * 4;

export const QUESTION_REQUESTS: AnsweredRequest[] = [
  {
    text: 'Which probes do we have?',
    tool: 'list_modules',
    args: {},
    expected: {
      data: expect.arrayContaining([expect.objectContaining({ id: 6, name: 'South 1' })]),
    },
  },
  {
    text: 'Quelles sondes sont sur la terrasse ?',
    tool: 'list_modules',
    args: { parcel: 'Terrace' },
    expected: { data: [{ id: 4 }, { id: 5 }] },
  },
  {
    text: 'Quand a-t-on arrosé North 1 pour la dernière fois ?',
    tool: 'list_waterings',
    args: { module: 'North 1', status: 'done', limit: 1 },
    expected: { data: [{ id: 2, startedAt: '2026-06-30T04:00:00.000Z', waterMm: 3.2 }] },
  },
  {
    text: 'What did we water yesterday?',
    tool: 'list_waterings',
    args: { from: 'yesterday', to: 'today' },
    expected: { data: [{ id: 3 }, { id: 2 }], next_cursor: null },
  },
  {
    text: 'Which waterings are planned on the terrace tomorrow?',
    tool: 'list_waterings',
    args: { parcel: 'Terrace', status: 'planned', from: 'tomorrow', to: 'in 2 days' },
    expected: {
      data: [{ startedAt: '2026-07-02T03:00:00.000Z' }, { startedAt: '2026-07-02T20:00:00.000Z' }],
    },
  },
  {
    text: 'Quels programmes tournent ?',
    tool: 'list_schedules',
    args: { isActive: true },
    expected: {
      data: expect.arrayContaining([expect.objectContaining({ id: 1, startTimes: ['05:00'] })]),
    },
  },
  {
    text: 'What waters the orchard?',
    tool: 'get_irrigation_setup',
    args: { module: 'Orchard' },
    expected: {
      moduleId: 3,
      installation: { scope: 'parcel', flowMmPerH: 4, irrigatedAreaM2: 5000 },
    },
  },
  {
    text: 'How moist is North 1 right now?',
    tool: 'get_agronomic_state',
    args: { module: 'North 1' },
    expected: { moduleId: 1, value_vwc: 23.3, time: '2026-07-01T09:45:00.000Z' },
  },
  {
    text: "Montre-moi l'humidité de North 1 depuis lundi.",
    tool: 'get_moisture_series',
    args: { module: 'North 1', start: 'lundi' },
    expected: { module_id: 1, unit: '%', summary: expect.stringContaining('23.3 %') },
  },
  {
    text: 'Do I need to water North 1, and for how long?',
    tool: 'advise_watering',
    args: { module: 'North 1' },
    // The drip wets 0.35 of the soil and puts down 3.2 mm/h.
    expected: {
      moduleId: 1,
      deficitMm: expect.closeTo(DEFICIT_MM, 1),
      waterMm: expect.closeTo(DEFICIT_MM * 0.35, 1),
      durationMin: expect.closeTo(((DEFICIT_MM * 0.35) / 3.2) * 60, 0),
    },
  },
  {
    text: 'Et si je ne remplis que la moitié ?',
    tool: 'advise_watering',
    args: { module: 'North 1', refillPercent: 50 },
    expected: { moduleId: 1, waterMm: expect.closeTo((DEFICIT_MM * 0.35) / 2, 1) },
  },
  {
    text: 'They announce 5 mm of rain for tonight. How long then?',
    tool: 'advise_watering',
    args: { module: 'North 1', expectedRainMm: 5 },
    // Eight tenths of the rain reach the roots, also between the lines of drippers.
    expected: {
      moduleId: 1,
      waterMm: expect.closeTo((DEFICIT_MM - 4) * 0.35, 1),
      reasons: expect.arrayContaining(['EXPECTED_RAIN']),
    },
  },
  {
    text: 'Did the waterings of the last week do anything on North 1?',
    tool: 'review_waterings',
    args: { module: 'North 1', start: '7 days ago', end: 'now' },
    expected: {
      moduleId: 1,
      start: '2026-06-23T22:00:00.000Z',
      waterings: [{ eventId: 2 }, { eventId: 1 }],
    },
  },
  {
    text: 'What does the soil at North 1 really hold once it has drained?',
    tool: 'suggest_thresholds',
    args: { module: 'North 1' },
    expected: { moduleId: 1, fieldCapacity: null, wettings: [] },
  },
  {
    text: 'Does North 1 still transmit?',
    tool: 'get_module_health',
    args: { module: 'North 1' },
    expected: { health: { imei: '356938035643809' } },
  },
  {
    text: 'Which gateways do we have?',
    tool: 'list_gateways',
    args: {},
    expected: { data: [{ id: 1, modules: [{ id: 1, name: 'North 1' }] }] },
  },
  {
    text: 'Quel est le sol du bloc nord ?',
    tool: 'get_soil_profile',
    args: { parcel: 'North block' },
    expected: { data: [{ usda_class: 'Loam', depth_top_cm: 0, depth_bottom_cm: 60 }] },
  },
  {
    text: 'Who works here?',
    tool: 'list_users',
    args: {},
    expected: {
      data: [
        { name: 'Ana', role: 'OWNER' },
        { name: 'Karim', role: 'MANAGER' },
      ],
    },
  },
];

export const ALERT_REQUESTS: AnsweredRequest[] = [
  {
    text: 'Tell me when North 1 falls below eighteen per cent.',
    tool: 'create_alert',
    args: { module: 'North 1', threshold: 18 },
    expected: { moduleId: 1, threshold: '18', source: 'manual', isActive: true },
  },
  {
    text: 'Préviens-moi sous 20 % sur North 2, avec un rappel à 7 h.',
    tool: 'create_alert',
    args: { module: 'North 2', threshold: 20, reminderTime: '07:00:00' },
    expected: { moduleId: 2, threshold: '20', reminderTime: '07:00:00' },
  },
  {
    text: 'How often would twenty-five per cent have fired on North 1 in the last week?',
    tool: 'backtest_alert',
    args: { module: 'North 1', threshold: 25, hysteresis: 5, start: '7 days ago', end: 'now' },
    expected: { episodes: [{ end: null }] },
  },
  {
    text: 'Quelles alertes sont actives sur le verger ?',
    tool: 'list_alerts',
    args: { module: 'Orchard', isActive: true },
    expected: { data: [], next_cursor: null },
  },
  {
    text: 'Fais-moi le point de ce matin.',
    tool: 'morning_brief',
    args: {},
    expected: {
      missingDoses: expect.arrayContaining([
        expect.objectContaining({ moduleId: 6, missing: 'NO_INSTALLATION' }),
      ]),
    },
  },
];
