import type { QuestionPhrases } from '../question-phrases.ts';

export const frenchQuestions: QuestionPhrases = {
  flowRate: ({ name, isOfParcel }) =>
    `L’arrosage sur ${name} est noté. Il manque sa dose en mm, car l’équipement${isOfParcel ? ' de la parcelle' : ''} n’a pas de débit. ` +
    'Combien de mm d’eau par heure donne-t-il, sur toute la surface ? 1 mm/h, c’est 1 litre par heure et par m2.',
  flowRateTitle: 'Débit, mm/h',
  flowRateGiven: (flow) => `Le débit a été donné : ${flow} mm/h.`,
  flowRateNotEntered: (flow, why) => `Le débit a été donné, ${flow} mm/h, mais n’a pas été noté : ${why}`,
  whichOne: (text) => `${text} peut désigner plusieurs choses. Laquelle est-ce ?`,
};
