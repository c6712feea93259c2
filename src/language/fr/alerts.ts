import type { AnnotationShape, ChartType, LineFill } from '../../domain/alerts/annotation.ts';
import type {
  AlertRuleFacts,
  AlertStateFacts,
  BacktestFacts,
  HeightUnitCode,
} from '../en/alerts.ts';
import type { Language } from '../en/index.ts';
import { frenchCount, frenchNoun, withDe, withJusqua } from './grammar.ts';

function formatTimes({ times, isTruncated, timeBelow, reminders }: BacktestFacts): string {
  const below = `${timeBelow} en dessous, ${reminders === 0 ? 'aucun rappel' : frenchCount(reminders, 'rappel')}`;
  return `${isTruncated ? 'au moins ' : ''}${times === 1 ? 'une' : times} fois, ${below}`;
}

const formatRule = ({ threshold, resolveAt, reminderTime, zone }: AlertRuleFacts): string =>
  `sous ${threshold} %, jusqu’à ${resolveAt} %, avec un rappel chaque jour à ${reminderTime} (${zone})`;

const formatAlertValue = (
  { threshold, resolveAt }: Pick<AlertRuleFacts, 'threshold' | 'resolveAt'>,
  { value, isBelow }: Pick<AlertStateFacts, 'value' | 'isBelow'>,
): string =>
  isBelow ? `${value} %, sous ${threshold} %` : `${value} %, pas encore ${resolveAt} %`;

const formatMessages = (amount: number): string =>
  `${frenchCount(amount, 'message')} de ces alertes`;

function formatState(rule: AlertRuleFacts, state: AlertStateFacts): string {
  const { value, at, isStale, since } = state;
  const firing = since === null ? null : `déclenchée depuis ${since}`;
  if (at === null) return 'au repos, sans mesure d’humidité à ce jour';
  if (isStale)
    return `sans données récentes : sa dernière mesure d’humidité date ${withDe(at)}${firing === null ? '' : `, et elle reste ${firing}`}`;
  if (value === null) return `${firing ?? 'au repos'}, sans valeur ${at}`;
  return firing === null
    ? `au repos : ${value} % ${at}`
    : `${firing} : ${formatAlertValue(rule, state)}`;
}

export const frenchAlertPhrases: Language['alert'] = {
  noProbe: (parcel) => `sans sonde${parcel === null ? '' : ` (${parcel})`}`,
  state: formatState,
  neverEvaluated: 'jamais évaluée',
  disabled: 'désactivée',
  created: (target, rule) => `Nouvelle alerte, ${target} : elle se déclenche ${formatRule(rule)}.`,
  updated: (target, rule, isActive) =>
    `Alerte, ${target} : elle ${isActive ? 'se déclenche maintenant' : 'est désactivée ; réactivée, elle se déclenchera'} ${formatRule(rule)}.`,
  noneMatches: 'Aucune alerte ne correspond.',
  row: (target, threshold, state) => `${target} sous ${threshold} %, ${state}`,
  page: (rows, zone) => `Alertes (${zone}) : ${rows.join(' ; ')}.`,
  firing: (rule, state, since) =>
    `Son alerte est déclenchée depuis ${since}${state.value === null ? '' : ` : ${formatAlertValue(rule, state)}`}.`,
  firingOnStaleData: (since, last) =>
    `Son alerte est déclenchée depuis ${since}, mais sa dernière mesure date ${withDe(last)}.`,
  firingOn: (probes) => `Une alerte est déclenchée sur ${probes} : voyez list_alerts.`,
  moreFiring: (count) =>
    count < 2
      ? `${count} autre de ses alertes est déclenchée : voyez list_alerts.`
      : `${count} autres de ses alertes sont déclenchées : voyez list_alerts.`,

  withoutProbe:
    'Sans sonde, elle n’est jamais évaluée : créez une autre alerte en indiquant une sonde dans module.',
  noSoilMoisture:
    'Il n’y a pas de capteur d’humidité du sol, donc elle ne se déclenche jamais : list_modules donne les sondes.',
  notifies: (person) => `Un e-mail préviendra ${person}.`,
  currentState: (state) => `Elle est ${state}.`,
  neverResolves: (resolveAt) =>
    `Une fois déclenchée, elle ne se termine jamais, car l’humidité ne peut pas atteindre ${resolveAt} %.`,
  belowStressPoint: (stressPoint) =>
    `Les plantes y souffrent déjà dès ${stressPoint} % : pour être prévenu avant, il faut une alerte à ce niveau ou au-dessus (create_alert).`,
  lineMoves: (threshold) => `Sa ligne de point de flétrissement passe aussi à ${threshold} %.`,
  lineStays: 'La ligne qui l’a créée n’est plus un point de flétrissement, et reste inchangée.',
  unsentMail: (amount) =>
    `Pas encore ${frenchNoun(amount, 'envoyé', 'envoyés')} : ${formatMessages(amount)}.`,
  rejectedMail: (amount, answer) =>
    `Refus définitif du serveur de messagerie${answer === null ? '' : `, dont la dernière réponse est ${answer}`} : ${formatMessages(amount)}.`,
  seeDoctor: 'Lancez "acequia doctor" pour voir ce qu’il faut corriger.',

  ownDisabled: 'Son alerte est désactivée.',
  olderDisabled: (height) => `L’alerte de l’ancienne ligne à ${height} % est désactivée.`,
  ownEnabled: (height) => `Son alerte est activée à ${height} %.`,
  olderEnabled: (height) =>
    `L’ancienne ligne de point de flétrissement à ${height} % compte de nouveau, et son alerte est activée.`,
  newerCounts: (height) =>
    `Une ligne de point de flétrissement plus récente, à ${height} %, compte à sa place.`,
  moved: (from, to, isActive) =>
    `Son alerte${isActive ? '' : ', désactivée,'} passe de ${from} à ${to} %.`,

  wouldHaveFired: (level, name, times) =>
    times.times === 0
      ? `${level} % sur ${name} ne se serait jamais déclenché.`
      : `${level} % sur ${name} se serait déclenché ${formatTimes(times)}.`,
  lastEpisode: ({ isOnly, start, end, zone, lowest }) =>
    `${isOnly ? 'L’épisode' : 'Le dernier épisode'} a commencé ${start} et ${end === null ? 'dure encore' : `s’est terminé ${end}`} (${zone}), ${lowest} % au plus bas.`,
  lastHours: (duration) => `à la fin de la période (${duration})`,
  firstHours: (until, duration) => `${withJusqua(until)} (${duration})`,
  gap: (span, duration) => `${span} (${duration})`,
  gaps: (list, older) =>
    `Sans données : ${list}${older === 0 ? '' : `, et ${frenchCount(older, 'lacune plus ancienne', 'lacunes plus anciennes')}`}.`,
  noneInForce: 'Aucune alerte n’y est active.',
  inForce: ({ threshold, hysteresis, reminderTime }, times) =>
    `L’alerte active (${threshold} %, ${hysteresis} points, ${reminderTime}) ${times.times === 0 ? 'ne s’y est jamais déclenchée' : `s’y est déclenchée ${formatTimes(times)}`}.`,
  nothingToBacktest:
    'Il n’y a pas de capteur d’humidité du sol, donc un seuil ne peut pas y être testé.',
  olderEpisodesOmitted: (omitted, all) =>
    `${frenchNoun(omitted, `Le plus ancien épisode (${omitted})`, `Les ${omitted} plus anciens`)} sur ${all} ${frenchNoun(omitted, 'n’est pas montré', 'ne sont pas montrés')} : resserrez start et end pour ${frenchNoun(omitted, 'le', 'les')} voir.`,
};

const CURVES: Record<ChartType, string> = {
  humidity: 'la courbe d’humidité',
  'humidity-detail': 'les courbes d’humidité par profondeur',
  'humidity-heatmap': 'la carte d’humidité',
  temperature: 'la courbe de température',
  tensio: 'la courbe de tension',
};

const UNITS: Record<NonNullable<HeightUnitCode>, string> = {
  vwc: ' % en volume',
  vwc_max: ' % de la saturation',
  mm: ' mm',
  temperature: ' °C',
  tensio: ' kPa',
};

const SHAPES: Record<AnnotationShape, string> = {
  'h-line': 'une ligne horizontale',
  'v-line': 'une ligne verticale',
  segment: 'un segment',
  ray: 'une demi-droite',
  infinite: 'une droite',
  arrow: 'une flèche',
  'h-free': 'une ligne horizontale libre',
  rect: 'un rectangle',
  text: 'un texte',
  line: 'une ligne',
};

const THRESHOLDS: Record<LineFill, string> = {
  threshold1: 'la capacité au champ',
  threshold2: 'le point de flétrissement',
  wet: 'le niveau humide',
  dry: 'le niveau sec',
};

const PARTS = { style: 'Son style', text: 'Son texte' } as const;

const formatCurve = (chart: ChartType, name: string): string => `${CURVES[chart]} ${withDe(name)}`;

export const frenchAnnotationPhrases: Language['annotation'] = {
  drawing: ({ shape, threshold, hasEffect, height, unit, when }) => {
    const at = `à ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, en ligne ${at}${hasEffect ? '' : ' (qui ne compte que sur la courbe d’humidité)'}`;
    return shape === 'h-line' || shape === 'h-free'
      ? `${SHAPES[shape]} ${at}`
      : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Tracé sur ${formatCurve(chart, name)} : ${drawing}.`,
  updated: (chart, name, drawing) =>
    `Sur ${formatCurve(chart, name)}, ce tracé est maintenant ${drawing}.`,
  deleted: 'Le tracé est supprimé.',
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    `Supprimer ce tracé sur ${formatCurve(chart, name)} : ${drawing} ?${stopsAlert ? ' Son alerte s’arrête avec lui.' : ''}`,
  nothingDrawn: (chart, name) => `Rien n’est tracé sur ${formatCurve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${frenchCount(count, 'tracé')} sur ${formatCurve(chart, name)}${counting.length === 0 ? '' : `, dont ${counting.join(' et ')}`}.`,
  olderOmitted: (count) =>
    `${frenchNoun(count, `Un tracé plus ancien (${count}) n’est pas montré`, `${count} tracés plus anciens ne sont pas montrés`)} : demandez-en plus avec limit.`,
  noSoilMoisture:
    'Mais ce module ne mesure pas l’humidité du sol : rien n’est comparé à la ligne et aucune alerte ne se déclenche. S’agissait-il d’un autre module ?',
  noTension:
    'Ce module ne mesure pas de tension, la ligne est donc sans effet : un autre module est-il concerné ?',
  contentPartRemoved: (part) =>
    `${PARTS[part]} a été supprimé, car content remplace les deux : envoyez style et text ensemble pour les garder.`,
};
