// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A contract wallet of one owner (EIP-1271).
contract TestWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(
            hash,
            uint8(signature[64]),
            bytes32(signature[0:32]),
            bytes32(signature[32:64])
        );
        return signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Deploys wallets at addresses that are known before (EIP-6492).
contract TestWalletFactory {
    function deploy(address owner) external returns (address) {
        return address(new TestWallet{salt: 0}(owner));
    }

    function addressOf(address owner) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(TestWallet).creationCode, abi.encode(owner)));
        bytes memory input = abi.encodePacked(bytes1(0xff), address(this), bytes32(0), code);
        return address(uint160(uint256(keccak256(input))));
    }
}
