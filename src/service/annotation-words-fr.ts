import type { AnnotationShape, ChartType, ThresholdFill } from '../domain/annotation.ts';
import { frenchCount, withDe } from '../domain/french.ts';
import type { AnnotationPhrases, HeightUnitCode } from './annotation-words.ts';

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

const THRESHOLDS: Record<ThresholdFill, string> = {
  threshold1: 'la capacité au champ',
  threshold2: 'le point de flétrissement',
};

const PARTS = { style: 'Son style', text: 'Son texte' } as const;

const formatCurve = (chart: ChartType, name: string): string => `${CURVES[chart]} ${withDe(name)}`;

export const frenchAnnotationPhrases: AnnotationPhrases = {
  drawing: ({ shape, threshold, counts, height, unit, when }) => {
    const at = `à ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, en ligne ${at}${counts ? '' : ' (qui ne compte que sur la courbe d’humidité)'}`;
    return shape === 'h-line' || shape === 'h-free' ? `${SHAPES[shape]} ${at}` : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Tracé sur ${formatCurve(chart, name)} : ${drawing}.`,
  updated: (chart, name, drawing) => `Sur ${formatCurve(chart, name)}, ce tracé est maintenant ${drawing}.`,
  deleted: 'Le tracé est supprimé.',
  nothingDrawn: (chart, name) => `Rien n’est tracé sur ${formatCurve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${frenchCount(count, 'tracé')} sur ${formatCurve(chart, name)}${counting.length === 0 ? '' : `, dont ${counting.join(' et ')}`}.`,
  olderOmitted: (count) =>
    `${count < 2 ? `Un tracé plus ancien (${count}) n’est pas montré` : `${count} tracés plus anciens ne sont pas montrés`} : demandez-en plus avec limit.`,
  noSoilMoisture:
    'Ce module ne mesure pas l’humidité du sol, donc la ligne ne dit rien d’aucun sol : un autre module était-il voulu ?',
  contentPartRemoved: (part) =>
    `${PARTS[part]} a disparu, car content est réécrit en entier : envoyez style et text ensemble pour garder les deux.`,
};
