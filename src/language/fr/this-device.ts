import type { englishThisDevice } from '../en/this-device.ts';

export const frenchThisDevice: typeof englishThisDevice = {
  offline: (ago) => `Pas de connexion. Données d’${ago}.`,
  signedIn: (email) => `Connecté en tant que ${email}`,
  signOut: 'Se déconnecter',
  notify: 'Me prévenir des alertes sur cet appareil',
  blocked: 'Les notifications sont bloquées. Autorisez-les pour cette page dans les réglages du navigateur.',
  failed: 'Cela n’a pas marché. Réessayez une fois la connexion rétablie.',
};
