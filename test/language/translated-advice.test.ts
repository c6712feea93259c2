import { describe, expect, it } from 'vitest';
import { spanOf } from '../../src/domain/advice/brief.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { summarizeAdvice } from '../../src/language/advice/advice-summary.ts';
import { summarizeBrief } from '../../src/language/advice/brief-summary.ts';
import { summarizeReview } from '../../src/language/advice/review-summary.ts';
import type { SummaryContext } from '../../src/language/summary-context.ts';
import type { AdviceBody, BriefBody, ReviewBody } from '../../src/schema/advice/advice.ts';

import { FARM_NOW } from '../farm.ts';
import { HOUR } from '../time.ts';

const iso = (hours: number): string => new Date(FARM_NOW + hours * HOUR).toISOString();

const NORTH = { id: 1, name: 'North 1', uid: 'A1', category: 'SOIL_PROBE', parcelId: 1 };
const context = (lang: Lang): SummaryContext => ({
  now: FARM_NOW,
  isZoneDeclared: true,
  zone: 'Europe/Paris',
  lang,
  directory: { modules: async () => [NORTH], parcels: async () => [] },
});

const AS_NOW = { refillPercent: 100, expectedRainMm: 0, demandPercent: 100 };

/** A summary in each translation, worked out by hand from the figures of its facts. */
type Translations = readonly (readonly [lang: Lang, summary: string])[];

const ADVICE: AdviceBody = {
  moduleId: 1,
  time: iso(-1),
  deficitMm: 44.1,
  settings: { refillPercent: 100, efficiencyPercent: 100, leachingPercent: 0, hoursPerDay: 24 },
  netMm: 12.3,
  daily: { days: 2, minutesPerDay: 1156.8 },
  waterMm: 12.3,
  durationMin: 2313.5,
  volumeM3: 274,
  daysToStress: 1,
  planned: { until: iso(24), count: 1, waterMm: null, nextAt: iso(6) },
  confidence: 'partial',
  reasons: ['LONGER_THAN_A_DAY', 'DAILY_LIMIT_TOO_SHORT', 'SLICE_WITHOUT_VALUE'],
  doubts: [],
};

describe('advice', () => {
  // 2313.5 min are 38.558 hours, about 39; half of them are 19 h 16.8 min.
  it.each<Translations[number]>([
    [
      'fr',
      'Il manque 44 mm à North 1 dans la zone humectée pour atteindre la capacité au champ, aujourd’hui à 11:00 (Europe/Paris). Pour tout combler, donnez 39 h, 12 mm sur toute la surface, 274 m3, sans compter les pertes ni le lessivage. À raison de 24 h par jour au plus : 19 h 15 min aujourd’hui, 19 h 15 min demain ; à partir du deuxième jour, vérifiez de nouveau avant d’arroser. Au rythme actuel, le sol atteindra le seuil de stress dans environ un jour. Prévu d’ici demain : 1 arrosage, dose inconnue, le prochain aujourd’hui à 18:00 (Europe/Paris). Au plus 24 h par jour, c’est trop peu pour rattraper le retard : vérifiez le débit et, si possible, permettez plus d’heures par jour (hoursPerDay avec set_probe_settings). Une profondeur sans valeur a été supposée aussi humide que les autres.',
    ],
    [
      'es',
      'A North 1 le faltan 44 mm en la zona mojada para llegar a capacidad de campo, hoy a las 11:00 (Europe/Paris). Para reponer todo, dé 39 h, 12 mm sobre toda la superficie, 274 m3, sin contar pérdidas ni lavado. Con un máximo de 24 h al día: 19 h 15 min hoy, 19 h 15 min mañana; a partir del segundo día, vuelva a mirar antes de regar. Al ritmo al que se seca, el suelo llegará al umbral de estrés en alrededor de un día. Previsto hasta mañana: 1 riego, de dosis desconocida, el siguiente hoy a las 18:00 (Europe/Paris). Como máximo 24 h al día es demasiado poco para recuperar el retraso: revise el caudal y, si puede, permita más horas al día (hoursPerDay con set_probe_settings). Una profundidad sin valor se ha supuesto tan húmeda como las demás.',
    ],
  ])('names all that it advises in %s', async (lang, summary) => {
    expect(await summarizeAdvice(ADVICE, context(lang), AS_NOW)).toBe(summary);
  });

  it.each<Translations[number]>([
    [
      'fr',
      'Données anciennes, donc pas de conseil : la dernière mesure d’humidité de North 1 date du 29 juin à 10:00 (Europe/Paris), il y a 2 jours.',
    ],
    [
      'es',
      'Datos antiguos, así que no se aconseja nada: la última medida de humedad de North 1 es del 29 de junio a las 10:00 (Europe/Paris), hace 2 días.',
    ],
  ])('advises nothing on old data in %s', async (lang, sentence) => {
    const none = {
      deficitMm: null,
      waterMm: null,
      durationMin: null,
      volumeM3: null,
      daysToStress: null,
    };
    const old: AdviceBody = { ...ADVICE, ...none, time: iso(-50), reasons: ['STALE_DATA'] };
    expect(await summarizeAdvice(old, context(lang), AS_NOW)).toContain(sentence);
  });
});

it.each<Translations[number]>([
  [
    'fr',
    'à partir du deuxième jour, vérifiez de nouveau avant d’arroser. Avec le temps attendu, le sol atteindra le seuil de stress dans environ un jour. Prévu d’ici demain : 1 arrosage, dose inconnue, le prochain aujourd’hui à 18:00 (Europe/Paris). Ce conseil compte sur 12,5 mm de pluie attendue, dont 10 mm pour les racines : s’il en tombe moins, redemandez. Le délai avant le stress repose sur votre prévision : un sol qui sèche à 130 % du rythme des deux dernières semaines.',
  ],
  [
    'es',
    'a partir del segundo día, vuelva a mirar antes de regar. Con el tiempo esperado, el suelo llegará al umbral de estrés en alrededor de un día. Previsto hasta mañana: 1 riego, de dosis desconocida, el siguiente hoy a las 18:00 (Europe/Paris). Este consejo cuenta con 12,5 mm de lluvia esperada, de los que 10 mm llegan a las raíces: si cae menos, vuelva a preguntar. Los días hasta el estrés se apoyan en su previsión: un suelo que se seca al 130 % del ritmo de las dos últimas semanas.',
  ],
])('advice that rests on a forecast says so in %s', async (lang, sentences) => {
  const advice: AdviceBody = { ...ADVICE, reasons: ['EXPECTED_RAIN', 'EXPECTED_DEMAND'] };
  const request = { refillPercent: 100, expectedRainMm: 12.5, demandPercent: 130 };
  expect(await summarizeAdvice(advice, context(lang), request)).toContain(sentences);
});

const watering = (eventId: number, response: ReviewBody['waterings'][number]['response']) => ({
  eventId,
  groupOf: null,
  startedAt: iso(-eventId),
  waterMm: 4.5,
  waterMmWetted: 12.5,
  netMmWetted: 12.5,
  response,
  deepestCm: 60,
  riseMm: 9.25,
  depths: [],
});

it.each<Translations[number]>([
  [
    'fr',
    '5 arrosages sur North 1 du 28 juin à 12:00 jusqu’à aujourd’hui à 12:00 (Europe/Paris) : 2 ont atteint la zone racinaire, 1 est passé sous les racines et 2 sont restés sans effet. Vérifiez si les arrosages 30 et 34 ont eu lieu et ont atteint la sonde (aucun effet). De l’eau de l’arrosage 32 est descendue sous les racines : si cela se répète, donnez-en moins à la fois. Le plus récent dont l’effet est visible, hier à 05:00 : jusqu’à 60 cm, et le sol a gagné 9,3 mm sur 13 mm dans la zone humectée. 1 hausse sans arrosage enregistré ; la plus récente aujourd’hui à 07:00, environ 3,5 mm dans le sol humecté, plutôt un arrosage que de la pluie. L’arrosage 12 était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering. Aucune pluie n’est enregistrée à ce moment : demandez avant d’enregistrer un arrosage. Sans compter 1 arrosage plus ancien et 2 hausses plus anciennes : donnez un limit plus grand ou un end plus ancien.',
  ],
  [
    'es',
    '5 riegos en North 1 desde el 28 de junio a las 12:00 hasta hoy a las 12:00 (Europe/Paris): 2 llegaron a la zona de raíces, 1 llegó por debajo de las raíces y 2 no tuvieron efecto. Compruebe si los riegos 30 y 34 se hicieron y llegaron a la sonda (sin efecto). El agua del riego 32 llegó por debajo de las raíces: si se repite, dé menos cada vez. El más reciente con efecto visible, ayer a las 05:00: hasta 60 cm, y el suelo ganó 9,3 mm de 13 mm en la zona mojada. 1 subida que nadie anotó; la más reciente hoy a las 07:00, unos 3,5 mm en el suelo mojado, más bien un riego que lluvia. El riego 12 estaba previsto entonces: si se hizo, confírmelo con correct_watering. No hay lluvia anotada para entonces, así que pregunte antes de registrar un riego. Sin contar 1 riego más antiguo y 2 subidas más antiguas: dé un limit mayor o un end anterior.',
  ],
])('a review says what each watering did, and what nobody logged, in %s', async (lang, summary) => {
  const review: ReviewBody = {
    moduleId: 1,
    start: iso(-72),
    end: iso(0),
    waterings: [
      watering(30, 'no_response'),
      watering(31, 'reached'),
      watering(32, 'below_roots'),
      watering(33, 'reached'),
      watering(34, 'no_response'),
    ],
    unlogged: [
      {
        start: iso(-5),
        end: iso(-4),
        depths: [10],
        riseMm: 3.5,
        waterMm: null,
        likely: 'watering',
        roseElsewhere: false,
        plannedEventId: 12,
      },
    ],
    leftOut: { waterings: 1, unlogged: 2 },
  };
  expect(await summarizeReview(review, context(lang))).toBe(summary);
});

it.each<Translations[number]>([
  [
    'fr',
    'Le plus récent dont l’effet est visible, aujourd’hui à 10:00 : jusqu’à 60 cm. Les capteurs montrent bien plus d’eau que n’en ont apporté les arrosages 2 et 3 : s’il n’a pas plu, vérifiez le débit, la fraction humectée et l’emplacement de la sonde.',
  ],
  [
    'es',
    'El más reciente con efecto visible, hoy a las 10:00: hasta 60 cm. Los sensores muestran mucha más agua de la que aportaron los riegos 2 y 3: si no llovió, revise el caudal, la fracción mojada y la colocación de la sonda.',
  ],
])('a review doubts gains far above the dose in %s', async (lang, sentences) => {
  const doubtful = (eventId: number) => ({ ...watering(eventId, 'reached'), riseMm: 16.3 });
  const review: ReviewBody = {
    moduleId: 1,
    start: iso(-72),
    end: iso(0),
    // 1.3 x 12.5 mm are 16.25 mm.
    waterings: [doubtful(2), doubtful(3), { ...watering(4, 'reached'), riseMm: 16.2 }],
    unlogged: [],
    leftOut: { waterings: 0, unlogged: 0 },
  };
  expect(await summarizeReview(review, context(lang))).toContain(sentences);
});

it.each<Translations[number]>([
  [
    'en',
    '1 rise with no watering logged; the newest today 07:00, about 1.2 mm over the whole area if it was irrigation, at the same time as on other parcels: rain, or all were watered.',
  ],
  [
    'fr',
    '1 hausse sans arrosage enregistré ; la plus récente aujourd’hui à 07:00, environ 1,2 mm sur toute la surface si c’était un arrosage, en même temps que sur d’autres parcelles : il a plu, ou tout a été arrosé.',
  ],
  [
    'es',
    '1 subida que nadie anotó; la más reciente hoy a las 07:00, unos 1,2 mm sobre toda la superficie si fue un riego, a la vez que en otras parcelas: llovió, o se regó todo.',
  ],
])('a review leaves open why all parcels rose in %s', async (lang, sentence) => {
  const together = { likely: 'unknown', roseElsewhere: true, plannedEventId: null } as const;
  const review: ReviewBody = {
    moduleId: 1,
    start: iso(-72),
    end: iso(0),
    waterings: [],
    unlogged: [
      { start: iso(-5), end: iso(-4), depths: [10], riseMm: 3.5, waterMm: 1.2, ...together },
    ],
    leftOut: { waterings: 0, unlogged: 0 },
  };
  expect(await summarizeReview(review, context(lang))).toContain(sentence);
});

const QUIET: BriefBody = {
  time: iso(0),
  modules: 3,
  needsWater: [],
  checkFirst: [],
  unjudged: [],
  alerts: [],
  silent: { modules: [], gateways: [] },
  toConfirm: [],
  missingDoses: [],
  schedule: [],
  leftOut: {
    needsWater: 0,
    checkFirst: 0,
    unjudged: 0,
    alerts: 0,
    silentModules: 0,
    silentGateways: 0,
    toConfirm: 0,
    missingDoses: 0,
    schedule: 0,
  },
};
const PROBE = { moduleId: 1, name: 'North 1' };
const ALONE = { ...PROBE, parcelId: null, probes: 1, dryProbes: 1, remainingMm: spanOf([4.25]) };

describe('a morning brief', () => {
  it.each<Translations[number]>([
    [
      'fr',
      'Tout est calme (Europe/Paris) : à ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu, aucune alerte n’est déclenchée et tous les appareils transmettent ; rien n’est prévu dans les 48 prochaines heures.',
    ],
    [
      'es',
      'Todo está tranquilo (Europe/Paris): que se sepa, ninguna sonda necesita hoy más agua de la prevista, ninguna alerta está disparada y todo transmite; no hay nada previsto en las próximas 48 horas.',
    ],
  ])('is one sentence on a quiet day in %s', async (lang, summary) => {
    expect(await summarizeBrief(QUIET, context(lang))).toBe(summary);
  });

  it.each<Translations[number]>([
    ['fr', 'dites lesquelles vous avez'],
    ['es', 'diga cuáles tiene'],
  ])('says how to start on a farm without probes in %s', async (lang, advice) => {
    expect(await summarizeBrief({ ...QUIET, modules: 0 }, context(lang))).toContain(advice);
  });

  it.each<Translations[number]>([
    [
      'fr',
      'À arroser aujourd’hui : North 1 pendant 12 h 30 min aujourd’hui, sur 25 h en tout, en stress ; module 2 avec 4,3 mm, stress dans moins d’un jour. Alertes déclenchées : North 1, 14,5 % du 29 juin à 10:00, seuil 15,5 %, depuis le 29 juin à 00:00 ; et 3 autres. Sondes muettes : North 1, depuis le 29 juin à 10:00. L’arrosage prévu sur North 1 aujourd’hui à 06:00 a-t-il eu lieu ? Il attend d’être confirmé. Un arrosage est prévu dans les 48 prochaines heures : demain à 08:00 sur North 1, 1,6 mm (Europe/Paris).',
    ],
    [
      'es',
      'Para regar hoy: North 1 durante 12 h 30 min hoy, de 25 h en total, en estrés; module 2 con 4,3 mm, estrés en menos de un día. Alertas disparadas: North 1, 14,5 % del 29 de junio a las 10:00, umbral 15,5 %, desde el 29 de junio a las 00:00; y 3 más. Sondas sin transmitir: North 1, desde el 29 de junio a las 10:00. ¿Se hizo el riego previsto en North 1 hoy a las 06:00? Espera confirmación. Hay un riego previsto en las próximas 48 horas: mañana a las 08:00 en North 1, 1,6 mm (Europe/Paris).',
    ],
  ])('begins with the most urgent on a busy day in %s', async (lang, summary) => {
    const need = { ...ALONE, waterMm: 4.25, confidence: 'partial', plannedMm: 0 } as const;
    const brief: BriefBody = {
      ...QUIET,
      needsWater: [
        {
          ...need,
          durationMin: 1500.5,
          remainingMin: spanOf([1500.5]),
          todayMin: spanOf([750.3]),
          daysToStress: 0,
        },
        {
          ...need,
          moduleId: 2,
          name: null,
          durationMin: null,
          remainingMin: null,
          todayMin: null,
          daysToStress: 0.5,
        },
      ],
      alerts: [
        {
          alertId: 'a',
          ...PROBE,
          since: iso(-60),
          value_vwc: 14.5,
          time: iso(-50),
          threshold: '15.5',
        },
      ],
      silent: { modules: [{ ...PROBE, lastAt: iso(-50) }], gateways: [] },
      toConfirm: [{ eventId: 7, ...PROBE, startedAt: iso(-6) }],
      schedule: [{ eventId: 8, ...PROBE, startedAt: iso(20), durationMin: 30, waterMm: 1.6 }],
      leftOut: { ...QUIET.leftOut, alerts: 3 },
    };
    expect(await summarizeBrief(brief, context(lang))).toBe(summary);
  });

  it.each<readonly [Lang, several: string, one: string, withoutFlow: string]>([
    [
      'en',
      'North block (3 of 4 probes: North 1 and 2 more) for 2 h to 2 h 50 min today of 2 h 30 min to 5 h 40 min in all, under stress;',
      'North block (1 of 4 probes: North 1) for 2 h 30 min, under stress;',
      'North block (2 of 2 probes: North 1 and 1 more) by 4.3 to 12 mm, stress in less than a day.',
    ],
    [
      'fr',
      'North block (3 sondes sur 4 : North 1 et 2 autres) pendant 2 h à 2 h 50 min aujourd’hui, sur 2 h 30 min à 5 h 40 min en tout, en stress ;',
      'North block (1 sonde sur 4 : North 1) pendant 2 h 30 min, en stress ;',
      'North block (2 sondes sur 2 : North 1 et 1 autre) avec 4,3 à 12 mm, stress dans moins d’un jour.',
    ],
    [
      'es',
      'North block (3 de 4 sondas: North 1 y 2 más) durante 2 h a 2 h 50 min hoy, de 2 h 30 min a 5 h 40 min en total, en estrés;',
      'North block (1 de 4 sondas: North 1) durante 2 h 30 min, en estrés;',
      'North block (2 de 2 sondas: North 1 y 1 más) con 4,3 a 12 mm, estrés en menos de un día.',
    ],
  ])('names the parcel whose valve waters several probes in %s', async (lang, ...rows) => {
    const facts = {
      ...ALONE,
      parcelId: 1,
      waterMm: 16,
      durationMin: 340,
      confidence: 'complete',
      plannedMm: 0,
    } as const;
    const brief: BriefBody = {
      ...QUIET,
      needsWater: [
        {
          ...facts,
          probes: 4,
          dryProbes: 3,
          daysToStress: 0,
          remainingMin: spanOf([148.3, 340, 244]),
          todayMin: spanOf([148.3, 170, 122]),
        },
        {
          ...facts,
          probes: 4,
          remainingMin: spanOf([148.3]),
          todayMin: spanOf([148.3]),
          daysToStress: 0,
        },
        {
          ...facts,
          probes: 2,
          dryProbes: 2,
          remainingMin: null,
          todayMin: null,
          remainingMm: spanOf([12.4, 4.31]),
          daysToStress: 0.8,
        },
      ],
    };
    const { directory, ...rest } = context(lang);
    const withParcel = { ...directory, parcels: async () => [{ id: 1, name: 'North block' }] };
    const summary = await summarizeBrief(brief, { ...rest, directory: withParcel });
    for (const row of rows) expect(summary).toContain(row);
  });

  // A quarter of the 8 mm is planned, so that three quarters of the 80 minutes remain.
  it.each<readonly [Lang, string, string]>([
    [
      'fr',
      'North 1 pendant 1 h en plus des 2 mm prévus aujourd’hui, en stress.',
      'À vérifier d’abord : module 2 (l’arrosage prévu a-t-il eu lieu ?).',
    ],
    [
      'es',
      'North 1 durante 1 h además de los 2 mm previstos hoy, en estrés.',
      'Para revisar antes: module 2 (¿se hizo el riego previsto?).',
    ],
  ])(
    'names what is planned today, and what to ask before any watering, in %s',
    async (lang, need, check) => {
      const facts = {
        ...ALONE,
        waterMm: 8,
        durationMin: 80,
        daysToStress: 0,
        confidence: 'complete',
      } as const;
      const brief: BriefBody = {
        ...QUIET,
        needsWater: [
          { ...facts, remainingMin: spanOf([60]), todayMin: spanOf([60]), plannedMm: 2 },
        ],
        checkFirst: [
          { moduleId: 2, name: null, daysToStress: 1, reason: 'UNCONFIRMED_WATERING', doubts: [] },
        ],
      };
      expect(await summarizeBrief(brief, context(lang))).toContain(need);
      expect(await summarizeBrief(brief, context(lang))).toContain(check);
    },
  );
});

it.each([
  ['en', 'Check first: P1, P2 (stuck); P3 (watered recently); and 10 more.'],
  ['fr', 'À vérifier d’abord : P1, P2 (valeur bloquée) ; P3 (arrosage récent) ; et 10 autres.'],
  ['es', 'Para revisar antes: P1, P2 (valor bloqueado); P3 (riego reciente); y 10 más.'],
] as const)('a brief names up to three of many probes to check, in %s', async (lang, sentence) => {
  const row = (moduleId: number, reason: BriefBody['checkFirst'][number]['reason']) => ({
    moduleId,
    name: `P${moduleId}`,
    daysToStress: null,
    reason,
    doubts: [],
  });
  const checkFirst = [row(1, 'SENSOR_STUCK'), row(2, 'SENSOR_STUCK'), row(3, 'RECENT_WATERING')];
  const brief: BriefBody = {
    ...QUIET,
    checkFirst: [...checkFirst, row(4, 'RECENT_WATERING')],
    leftOut: { ...QUIET.leftOut, checkFirst: 9 },
  };
  expect(await summarizeBrief(brief, context(lang))).toContain(sentence);
});
