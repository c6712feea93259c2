import { expect, it } from 'vitest';
import { summarizeAdvice } from '../../../src/language/advice/advice-summary.ts';
import { summarizeBrief } from '../../../src/language/advice/brief-summary.ts';
import { summarizeReview } from '../../../src/language/advice/review-summary.ts';
import type { SummaryContext } from '../../../src/language/summary-context.ts';
import type { AdviceBody, ReviewBody } from '../../../src/schema/advice.ts';
import type { BriefBody } from '../../../src/schema/brief.ts';
import { FARM_NOW } from '../../farm.ts';

const HOUR = 3_600_000;
const iso = (hours: number): string => new Date(FARM_NOW + hours * HOUR).toISOString();

const NORTH = { id: 1, name: 'North 1', uid: 'A1', category: 'SOIL_PROBE', parcelId: 1 };
const FRENCH: SummaryContext = {
  now: FARM_NOW,
  isZoneDeclared: true,
  zone: 'Europe/Paris',
  lang: 'fr',
  directory: { modules: async () => [NORTH], parcels: async () => [] },
};

const ADVICE: AdviceBody = {
  moduleId: 1,
  time: iso(-1),
  deficitMm: 44.1,
  waterMm: 12.3,
  durationMin: 2313.5,
  volumeM3: 274,
  daysToStress: 1,
  planned: { until: iso(24), count: 1, waterMm: null, nextAt: iso(6) },
  confidence: 'partial',
  reasons: ['LONGER_THAN_A_DAY', 'SLICE_WITHOUT_VALUE'],
};

it('an advice is said with all that it gives, in French', async () => {
  // 2 313.5 min are 38 h 34 min, rounded; 38.558 hours.
  expect(await summarizeAdvice(ADVICE, FRENCH, { refillPercent: 100 })).toBe(
    'Il manque 44,1 mm à North 1 dans la zone humectée pour atteindre la capacité au champ, aujourd’hui à 11:00 (Europe/Paris). Pour tout combler, donnez 2313,5 min (38 h 34 min), 12,3 mm sur toute la surface, 274 m3, sans compter les pertes ni le lessivage. Au rythme où il sèche, le sol sera au seuil de stress dans 1 jour. Prévu d’ici demain à 12:00 : 1 arrosage, dose inconnue, le prochain aujourd’hui à 18:00 (Europe/Paris). C’est plus que ce que l’équipement peut donner en un jour (38,6 heures) : répartissez-le en plusieurs arrosages, et regardez de nouveau entre deux. Une profondeur sans valeur a été supposée aussi humide que les autres.',
  );
});

it('an advice on old data is said to be none, in French', async () => {
  const none = { deficitMm: null, waterMm: null, durationMin: null, volumeM3: null, daysToStress: null };
  const old: AdviceBody = { ...ADVICE, ...none, time: iso(-50), reasons: ['STALE_DATA'] };
  expect(await summarizeAdvice(old, FRENCH, { refillPercent: 100 })).toContain(
    'Données anciennes, donc rien n’est conseillé : la dernière mesure d’humidité de North 1 date du 29 juin à 10:00 (Europe/Paris), il y a 2 jours.',
  );
});

const watering = (eventId: number, response: ReviewBody['waterings'][number]['response']) => ({
  eventId,
  groupOf: null,
  startedAt: iso(-eventId),
  waterMm: 4.5,
  waterMmWetted: 12.5,
  response,
  deepestCm: 60,
  riseMm: 9.25,
  depths: [],
});

it('a review is said with what each watering did and with what nobody logged, in French', async () => {
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
        plannedEventId: 12,
      },
    ],
    leftOut: { waterings: 1, unlogged: 2 },
  };
  expect(await summarizeReview(review, FRENCH)).toBe(
    '5 arrosages sur North 1 du 28 juin à 12:00 jusqu’à aujourd’hui à 12:00 (Europe/Paris) : 2 ont atteint la zone racinaire, 1 est passé sous les racines et 2 sont restés sans effet. Vérifiez si les arrosages 30 et 34 ont eu lieu et ont atteint la sonde (aucun effet). De l’eau de l’arrosage 32 s’est perdue sous les racines : donnez-en moins à la fois. Le plus récent qui se voit, hier à 05:00 : jusqu’à 60 cm, et le sol a gagné 9,3 mm sur 12,5 mm dans la zone humectée. 1 hausse que personne n’a notée ; la plus récente aujourd’hui à 07:00, environ 3,5 mm dans le sol humecté, plutôt un arrosage que de la pluie. L’arrosage 12 était prévu à ce moment : s’il a eu lieu, confirmez-le avec correct_watering. La pluie n’est pas mesurée, donc demandez avant d’enregistrer un arrosage. Sans compter 1 arrosage plus ancien et 2 hausses plus anciennes : donnez un limit plus grand ou un end plus ancien.',
  );
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

it('a quiet morning is said in one sentence, in French', () => {
  expect(summarizeBrief(QUIET, FRENCH)).toBe(
    'Tout est calme (Europe/Paris) : à ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu, aucune alerte n’est déclenchée et tout transmet ; rien n’est prévu dans les 48 prochaines heures.',
  );
});

it('a farm without a probe is told how to begin, in French', () => {
  expect(summarizeBrief({ ...QUIET, modules: 0 }, FRENCH)).toContain('importez votre exploitation');
});

it('a busy morning is said with the most urgent first, in French', () => {
  const need = { ...PROBE, waterMm: 4.25, confidence: 'partial', plannedMm: 0 } as const;
  const brief: BriefBody = {
    ...QUIET,
    needsWater: [
      { ...need, durationMin: 1500.5, daysToStress: 0 },
      { ...need, moduleId: 2, name: null, durationMin: null, daysToStress: 0.5 },
    ],
    alerts: [{ alertId: 'a', ...PROBE, since: iso(-60), value_vwc: 14.5, time: iso(-50), threshold: '15.5' }],
    silent: { modules: [{ ...PROBE, lastAt: iso(-50) }], gateways: [] },
    toConfirm: [{ eventId: 7, ...PROBE, startedAt: iso(-6) }],
    schedule: [{ eventId: 8, ...PROBE, startedAt: iso(20), durationMin: 30, waterMm: 1.6 }],
    leftOut: { ...QUIET.leftOut, alerts: 3 },
  };
  expect(summarizeBrief(brief, FRENCH)).toBe(
    'À arroser aujourd’hui : North 1 pendant 1500,5 min (plus d’un jour), en stress ; module 2 avec 4,3 mm, stress dans 0,5 jour. Alertes déclenchées : North 1, 14,5 % du 29 juin à 10:00, seuil 15,5 %, depuis le 29 juin à 00:00 ; 3 autres. Sondes muettes : North 1, depuis le 29 juin à 10:00. L’arrosage prévu sur North 1 aujourd’hui à 06:00 a-t-il eu lieu ? Il attend d’être confirmé. Un arrosage est prévu dans les 48 prochaines heures : demain à 08:00 sur North 1, 1,6 mm (Europe/Paris).',
  );
});

it('what is planned today and what must be asked first are said before any watering, in French', () => {
  const need = { ...PROBE, waterMm: 8, durationMin: 80, daysToStress: 0, confidence: 'complete' } as const;
  const said = summarizeBrief(
    {
      ...QUIET,
      needsWater: [{ ...need, plannedMm: 2 }],
      checkFirst: [{ moduleId: 2, name: null, daysToStress: 1, reason: 'UNCONFIRMED_WATERING' }],
    },
    FRENCH,
  );
  // A quarter of the 8 mm is planned, so that three quarters of the 80 minutes remain.
  expect(said).toContain('North 1 pendant 60 min en plus des 2 mm prévus aujourd’hui, en stress.');
  expect(said).toContain('À vérifier d’abord : module 2 (l’arrosage prévu a-t-il eu lieu ?).');
});
