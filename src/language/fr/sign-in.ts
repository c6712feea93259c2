import type { englishSignIn } from '../en/sign-in.ts';

export const frenchSignIn: typeof englishSignIn = {
  title: 'Se connecter à Acequia',
  lead: 'Vous restez connecté sur cet appareil pendant 90 jours. Le lien ne sert qu’une fois.',
  button: 'Se connecter',
  refused: 'Ce lien a déjà servi, a expiré ou est incomplet. Demandez-en un nouveau.',
  failed: 'Le service ne répond pas. Vérifiez la connexion et réessayez.',
  noScript: 'Cette page a besoin de JavaScript.',
};
