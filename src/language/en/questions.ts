import type { QuestionPhrases } from '../question-phrases.ts';

export const englishQuestions: QuestionPhrases = {
  flowRate: ({ name, isOfParcel }) =>
    `The watering on ${name} is recorded. Its dose in mm is missing, because the ${isOfParcel ? 'equipment of its parcel' : 'equipment'} has no flow rate. ` +
    'How many mm of water per hour does it give, over the whole area? 1 mm/h is 1 litre per hour on each m2.',
  flowRateTitle: 'Flow rate, mm/h',
  flowRateGiven: (flow) => `The person gave the flow rate: ${flow} mm/h.`,
  flowRateNotEntered: (flow, why) => `The person gave the flow rate, ${flow} mm/h, but it was not entered: ${why}`,
  whichOne: (text) => `${text} can mean more than one. Which one is meant?`,
};
