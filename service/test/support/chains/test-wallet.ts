/** Contract wallets on a test chain: one that is deployed, and one that is not yet. */
import {
  encodeFunctionData,
  type Hex,
  type PrivateKeyAccount,
  parseAbi,
  serializeErc6492Signature,
} from 'viem';
import type { Anvil } from './anvil.ts';
import { compileContract } from './compile-contract.ts';

const ABI = parseAbi([
  'function deploy(address owner) returns (address)',
  'function addressOf(address owner) view returns (address)',
]);

export interface WalletFactory {
  /** The address of the owner's wallet, deployed or not. */
  addressOf(owner: PrivateKeyAccount): Promise<string>;
  deploy(owner: PrivateKeyAccount): Promise<void>;
  /** A signature of a wallet that is not deployed (EIP-6492). */
  signBefore(owner: PrivateKeyAccount, message: string): Promise<string>;
}

/** Deploys a factory on a chain that mines on demand. */
export async function createWalletFactory(chain: Anvil): Promise<WalletFactory> {
  const mineOne = async (hash: Hex): Promise<{ contractAddress: Hex | null }> => {
    await chain.mine();
    return chain.call('eth_getTransactionReceipt', [hash]);
  };
  const code = compileContract('test-wallet.sol', 'TestWalletFactory');
  const { contractAddress } = await mineOne(await chain.send({ data: code }));
  if (contractAddress === null) throw new Error('the factory was not deployed');
  const deployBy = (owner: PrivateKeyAccount): Hex =>
    encodeFunctionData({ abi: ABI, functionName: 'deploy', args: [owner.address] });
  return {
    async addressOf(owner) {
      const functionName = 'addressOf' as const;
      const data = encodeFunctionData({ abi: ABI, functionName, args: [owner.address] });
      const word = await chain.call<Hex>('eth_call', [{ to: contractAddress, data }, 'latest']);
      return `0x${word.slice(-40)}`;
    },
    async deploy(owner) {
      await mineOne(await chain.send({ to: contractAddress, data: deployBy(owner) }));
    },
    async signBefore(owner, message) {
      return serializeErc6492Signature({
        address: contractAddress,
        data: deployBy(owner),
        signature: await owner.signMessage({ message }),
      });
    },
  };
}
