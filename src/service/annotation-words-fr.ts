import type { ChartType, Shape, ThresholdFill } from '../domain/annotation.ts';
import { counted, of } from '../domain/french.ts';
import type { AnnotationWords, SaidUnit } from './annotation-words.ts';

const CURVES: Record<ChartType, string> = {
  humidity: 'la courbe d’humidité',
  'humidity-detail': 'les courbes d’humidité par profondeur',
  'humidity-heatmap': 'la carte d’humidité',
  temperature: 'la courbe de température',
  tensio: 'la courbe de tension',
};

const UNITS: Record<NonNullable<SaidUnit>, string> = {
  vwc: ' % en volume',
  vwc_max: ' % de la saturation',
  mm: ' mm',
  temperature: ' °C',
  tensio: ' kPa',
};

const SHAPES: Record<Shape, string> = {
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

const curve = (chart: ChartType, name: string): string => `${CURVES[chart]} ${of(name)}`;

export const frenchAnnotations: AnnotationWords = {
  drawing: ({ shape, threshold, counts, height, unit, when }) => {
    const at = `à ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, en ligne ${at}${counts ? '' : ' (qui ne compte que sur la courbe d’humidité)'}`;
    return shape === 'h-line' || shape === 'h-free' ? `${SHAPES[shape]} ${at}` : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Tracé sur ${curve(chart, name)} : ${drawing}.`,
  updated: (chart, name, drawing) => `Sur ${curve(chart, name)}, ce tracé est maintenant ${drawing}.`,
  deleted: 'Le tracé est supprimé.',
  none: (chart, name) => `Rien n’est tracé sur ${curve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${counted(count, 'tracé')} sur ${curve(chart, name)}${counting.length === 0 ? '' : `, dont ${counting.join(' et ')}`}.`,
  leftOut: (count) =>
    `${count < 2 ? `Un tracé plus ancien (${count}) n’est pas montré` : `${count} tracés plus anciens ne sont pas montrés`} : demandez-en plus avec limit.`,
  soilless:
    'Ce module ne mesure pas l’humidité du sol, donc la ligne ne dit rien d’aucun sol : un autre module était-il voulu ?',
  gone: (part) =>
    `${PARTS[part]} a disparu, car content est réécrit en entier : envoyez style et text ensemble pour garder les deux.`,
};
