import type { QuestionPhrases } from '../question-phrases.ts';

export const spanishQuestions: QuestionPhrases = {
  flowRate: ({ name, isOfParcel }) =>
    `El riego de ${name} está registrado. Falta su dosis en mm, porque el equipo${isOfParcel ? ' de la parcela' : ''} no tiene caudal. ` +
    '¿Cuántos mm de agua por hora da, sobre toda la superficie? 1 mm/h es 1 litro por hora y por m2.',
  flowRateTitle: 'Caudal, mm/h',
  flowRateGiven: (flow) => `El usuario ha dado el caudal: ${flow} mm/h.`,
  flowRateNotEntered: (flow, why) => `El usuario ha dado el caudal, ${flow} mm/h, pero no se ha registrado: ${why}`,
  whichOne: (text) => `${text} puede designar varias cosas. ¿Cuál es?`,
};
