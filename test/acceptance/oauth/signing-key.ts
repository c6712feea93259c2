import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose';

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

export async function newSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const common = { kid, alg: 'RS256', use: 'sig' };
  return {
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), ...common },
    privateJwk: { ...(await exportJWK(privateKey)), ...common },
  };
}
