import type { Language } from '../en/index.ts';
import type { englishSignIn, englishThisDevice } from '../en/page.ts';
import { frenchCount } from './grammar.ts';

const probes = (count: number) => frenchCount(count, 'sonde', 'sondes');

const INVALID_AMOUNT = [
  'Ce n’est pas une quantité d’eau.',
  'Vérifiez le chiffre et son unité.',
] as const;

export const frenchPage: Language['page'] = {
  farm: 'Exploitation',
  loading: 'Chargement…',
  retry: 'Réessayer',
  close: 'Fermer',
  back: 'Retour',
  needs: {
    stress: 'en stress',
    water: 'à arroser aujourd’hui',
    firing: 'alerte',
    soon: 'bientôt en stress',
    doubt: 'à vérifier d’abord',
    recheck: 'à vérifier d’abord',
    silent: 'sans données',
    comfort: 'en confort',
    unjudged: 'sans seuil de référence',
    saturated: 'très humide',
  },
  responses: {
    reached: 'a atteint la zone racinaire',
    below_roots: 'est passé sous les racines',
    no_response: 'est resté sans effet',
    too_early: 'est trop récent pour se voir',
    no_data: 'est sans données',
  },
  errors: {
    NO_ANSWER: ['Le service ne répond pas.', 'Vérifiez votre connexion, puis réessayez.'],
    unauthenticated: [
      'Vous n’êtes pas connecté.',
      'Ouvrez votre lien de connexion, ou demandez-en un autre à un propriétaire.',
    ],
    insufficient_role: [
      'Vous pouvez tout voir, mais rien changer.',
      'Adressez-vous à un propriétaire ou gestionnaire.',
    ],
    insufficient_scope: [
      'Vous n’avez pas le droit de faire cela.',
      'Adressez-vous à un propriétaire.',
    ],
    rate_limited: ['Trop de demandes.', 'Attendez une minute, puis réessayez.'],
    STORE_UNAVAILABLE: ['Le service est occupé.', 'Réessayez dans un instant.'],
    not_found: ['Cela n’existe plus.', 'Revenez à l’exploitation.'],
    CHANGE_NOT_UNDOABLE: [
      'On ne peut plus annuler : quelque chose a changé depuis.',
      'Ouvrez la sonde et corrigez-y la saisie.',
    ],
    IDEMPOTENCY_KEY_REUSED: [
      'Votre premier essai a été enregistré.',
      'Regardez la sonde avant d’en noter un autre.',
    ],
    INVALID_STARTED_AT: [
      'Un arrosage ne peut pas commencer alors.',
      'Vérifiez le jour et l’année.',
    ],
    INVALID_DURATION: ['Un arrosage dure de 1 minute à 31 jours.', 'Donnez des minutes entières.'],
    INVALID_DEPTH: INVALID_AMOUNT,
    INVALID_VOLUME: INVALID_AMOUNT,
    INVALID_TARGET: ['Cette parcelle n’a pas de sonde.', 'Choisissez-en une autre.'],
  },
  otherError: ['Cela n’a pas marché.', 'Réessayez, ou montrez ceci à un propriétaire :'],
  missingPage: 'Il n’y a rien ici.',
  probes,
  stations: (count) => frenchCount(count, 'station météo', 'stations météo'),
  needWater: (count) => `${count} à arroser`,
  noProbes: 'Pas encore de sonde : ajoutez-en avec votre assistant.',
  search: 'Chercher',
  searchLabel: 'Chercher sondes et parcelles',
  order: 'Ordre',
  byNeed: 'Par besoin',
  byParcel: 'Par parcelle',
  noParcel: 'Sans parcelle',
  found: (count) =>
    count === 0 ? 'Rien trouvé.' : `${frenchCount(count, 'sonde trouvée', 'sondes trouvées')}.`,
  moisture: 'Humidité du sol',
  tension: 'Tension du sol',
  noValue: 'pas de valeur',
  stressIn: (days) => `stress dans ${days}`,
  seenBy: {
    probe: 'vu par une sonde',
    otherProbe: 'vu par une autre sonde',
    assumed: 'supposé',
    unconfirmed: 'non confirmé',
  },
  watered: (at) => `arrosée ${at}`,
  neverWatered: 'aucun arrosage noté',
  ago: (age) => `il y a ${age}`,
  week: (low, high, unit) => `7 derniers jours : de ${low} à ${high} ${unit}`,
  toConfirm: (count) =>
    count === 1 ? 'Cet arrosage a-t-il eu lieu ?' : `Ces ${count} arrosages ont-ils eu lieu ?`,
  ran: 'Oui',
  skip: 'Non',
  confirmed: 'Confirmé.',
  skipped: 'Noté : il n’a pas eu lieu.',
  undo: 'Annuler',
  undone: 'Annulé.',
  depths: 'Par profondeur',
  waterings: 'Arrosages',
  last: 'Dernier',
  next: 'Prochain prévu',
  none: 'aucun',
  unknownDose: 'dose inconnue',
  wetted: (water, fraction) => `${water} dans la zone humectée (${fraction})`,
  log: 'Noter un arrosage',
  review: 'Effet de chaque arrosage',
  where: 'Où',
  wholeParcel: (parcel, count) => `Toute la parcelle ${parcel} (${probes(count)})`,
  choose: 'Choisissez une sonde ou une parcelle',
  when: 'Début',
  localTime: (zone) => `Heure de l’exploitation (${zone})`,
  amount: 'Quantité',
  minutes: 'Minutes',
  wholeArea: 'sur toute la surface',
  dose: 'Dose',
  preview: 'La dose s’affichera ici.',
  amountFaults: {
    grouped: 'Écrivez-le sans séparateur de milliers : 1000, ou 1,5.',
    tooLittle: 'Il faut plus de 0.',
    unreadable: 'Écrivez un nombre seul, comme 40 ou 1,5.',
  },
  onEach: (count) => (count === 1 ? 'sur la seule sonde' : `sur chacune des ${count} sondes`),
  willBe: { done: 'Il sera noté comme fait.', planned: 'Il sera noté comme prévu.', skipped: '' },
  overlaps: (at) => `Attention : un arrosage est déjà noté alors, ${at}.`,
  skippedHour: 'Cette heure n’existe pas : on passe à l’heure d’été.',
  warnings: {
    NO_INSTALLATION: 'L’équipement de ce jour n’est pas connu.',
    MISSING_FLOW_RATE: 'La pluviométrie de l’équipement n’est pas connue.',
    MISSING_IRRIGATED_AREA: 'La surface irriguée n’est pas connue.',
    DEFAULT_FRACTION_WETTED: 'La fraction humectée est la valeur habituelle.',
  },
  save: 'Enregistrer',
  saving: 'Enregistrement…',
  saved: { done: 'Noté', planned: 'Prévu', skipped: 'Annulé' },
  cancel: 'Fermer sans noter',
  readOnly: 'Vous pouvez tout voir, sans rien changer.',
  noReviewed: 'Aucun arrosage fait dans cette période.',
  reachedDepth: (depth) => `jusqu’à ${depth}`,
  gained: (water) => `le sol a gagné ${water}`,
  unlogged: 'Le sol s’est humidifié sans arrosage noté',
  doubted: {
    unseen:
      'Aucune profondeur n’a montré les derniers arrosages. Vérifiez que l’eau arrive à la sonde.',
    shifted:
      'Le sol s’est humidifié d’autres jours que ceux notés. Soit ces jours sont faux, soit la sonde reçoit l’eau d’une autre vanne.',
    early: (hours) =>
      `Le sol s’est humidifié environ ${hours} h avant chaque début noté. Soit ces heures sont fausses, soit la sonde reçoit l’eau d’une autre vanne.`,
    exchanged: (probe) =>
      `Cette sonde montre les arrosages de ${probe}, et ${probe} ceux de celle-ci. Vérifiez où se trouve chacune, et ne corrigez pas les arrosages notés, sauf si les deux sont à leur place.`,
  },
  likely: {
    watering: 'sans doute un arrosage',
    rain: 'la pluie',
    unknown: 'un arrosage ou la pluie',
  },
  refreshed: (at) => `état : ${at}`,
};

export const frenchSignIn: typeof englishSignIn = {
  title: 'Se connecter à Acequia',
  whom: (person, farm) =>
    `Vous vous connectez en tant que ${person} à l’exploitation ${farm}. Si ce n’est pas vous, ou pas votre exploitation, fermez cette page.`,
  lead: 'Vous restez connecté sur cet appareil pendant 90 jours. Le lien ne sert qu’une fois.',
  button: 'Se connecter',
  refused: 'Ce lien a déjà servi, a expiré ou est incomplet. Demandez-en un nouveau.',
  failed: 'Le service ne répond pas. Vérifiez la connexion et réessayez.',
  noScript: 'Cette page a besoin de JavaScript.',
};

export const frenchThisDevice: typeof englishThisDevice = {
  offline: (ago) => `Pas de connexion. Données d’${ago}.`,
  signedIn: (email) => `Connecté en tant que ${email}`,
  signOut: 'Se déconnecter',
  notify: 'Me prévenir des alertes sur cet appareil',
  blocked: 'Les notifications sont bloquées : autorisez-les dans les réglages du navigateur.',
  failed: 'Cela n’a pas marché. Réessayez une fois la connexion rétablie.',
};
