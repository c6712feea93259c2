import type { englishSignIn } from '../en/sign-in.ts';

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
