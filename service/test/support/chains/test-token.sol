// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token for tests: every account mints, several payments fit into one transaction, and it can lie.
contract TestToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public symbol;
    uint8 public decimals;
    mapping(address => uint256) public balanceOf;

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    function pay(address to, uint256 value) public {
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function payMany(address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < to.length; i++) pay(to[i], values[i]);
    }

    function payTimes(address to, uint256 value, uint256 times) external {
        for (uint256 i = 0; i < times; i++) pay(to, value);
    }

    function payAndRevert(address to, uint256 value) external {
        pay(to, value);
        revert("no");
    }

    function setDecimals(uint8 decimals_) external {
        decimals = decimals_;
    }

    /// Coins sent by a contract: no transaction of their own.
    function forward(address payable to) external payable {
        (bool ok, ) = to.call{value: msg.value}("");
        require(ok, "failed");
    }
}
