import type { Language } from '../en/index.ts';

export const frenchTension: Language['tension'] = {
  noReading: (name) => `L’état de ${name} est inconnu : aucune mesure de tension.`,
  reading: (value, at) => `${value} kPa ${at}`,
  staleData: (name, age, reading) =>
    `Données anciennes, donc l’état de ${name} est inconnu : sa dernière tension date de ${age}, ${reading}.`,
  tooDry: ({ name, reading, dry }) =>
    `${name} est trop sec : ${reading}, au-dessus de son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec).`,
  tooWet: ({ name, reading, wet }) =>
    `${name} est saturé : ${reading}, sous son niveau humide de ${wet} kPa (plus c’est haut, plus c’est sec).`,
  comfort: ({ name, reading, wet, dry }) =>
    `${name} est en confort : ${reading}, entre son niveau humide de ${wet} et son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec).`,
  notDry: ({ name, reading, dry }) =>
    `${name} n’est pas trop sec : ${reading}, pas au-dessus de son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec). Aucun niveau humide n’est tracé.`,
  notWet: ({ name, reading, wet }) =>
    `${name} n’est pas saturé : ${reading}, pas sous son niveau humide de ${wet} kPa (plus c’est haut, plus c’est sec). On ne sait pas s’il est trop sec, car aucun niveau sec n’est tracé.`,
  noLevels: ({ name, reading }) =>
    `${name} indique ${reading} ; plus c’est haut, plus c’est sec. On ne sait pas si c’est trop sec, car aucun niveau n’est tracé.`,
  crossedLevels: ({ name, reading, wet, dry }) =>
    `${name} indique ${reading} ; plus c’est haut, plus c’est sec. Mais son niveau humide de ${wet} kPa n’est pas sous son niveau sec de ${dry} kPa : corrigez l’un des deux avec update_annotation.`,
  waterNow: 'Arrosez maintenant.',
  notYet: 'Pas besoin d’arroser pour l’instant.',
  typical: (texture, { wet, from, to }) =>
    `Usuel sur ${texture.toLowerCase()} : arroser entre ${from} et ${to} kPa, saturé sous ${wet} kPa ; cela dépend de la culture.`,
  drawLevels:
    'Demandez quels niveaux retenir, puis tracez-les avec create_annotation : chartType tensio, type h-line, fill dry (sec) ou wet (humide).',
  unknownSoil:
    'Les niveaux usuels dépendent du sol : ils sont proposés dès que la texture de sa parcelle est déclarée (set_soil_profile).',
};
