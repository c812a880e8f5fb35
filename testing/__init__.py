"""
Tools that stand in for what is not there: for tests, benchmarks and a look at collection. No part of the product.

oracle_server/   a server that speaks Oracle's protocol

Neither apps nor worker imports anything here, and images and packages go without it; the demo loads the server by its
dotted name where it is present (apps/demo/live_instances.py).
"""
