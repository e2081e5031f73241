import Type from 'typebox';

export const CurrencyRecord = Type.Object(
  {
    code: Type.String({ description: 'Code, for example `EDGE`.' }),
    scale: Type.Integer({
      minimum: 0,
      maximum: 30,
      description: 'Decimals that amounts of this currency have at most.',
    }),
    is_reward_currency: Type.Boolean({ description: 'Rewards are paid in it.' }),
    open_networks: Type.Array(Type.String(), {
      description: 'Those of them that this operator has configured: an address can be had now.',
    }),
    networks: Type.Array(Type.String(), {
      description: 'Networks on which it can be deposited, as `currencyNetWork` takes them.',
    }),
    network_names: Type.Record(Type.String(), Type.String(), {
      description: 'What people call each of them, by its code.',
    }),
  },
  { description: 'A currency.' },
);
export const CurrencyList = Type.Array(CurrencyRecord);
