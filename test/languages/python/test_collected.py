import unittest
import pytest


def test_adds():
    def test_nested(): ...


@pytest.mark.parametrize("x", [1])
async def test_async(x): ...


@pytest.fixture
def test_client(): ...


def helper(): ...


class TestThings:
    def test_one(self): ...

    def helper(self): ...

    class TestInner:
        def test_two(self): ...


class NotATest:
    def test_no(self): ...


class Case(unittest.TestCase):
    def setUp(self): ...

    def testCamel(self): ...
